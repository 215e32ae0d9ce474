#include "core/input/wide/character_set.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <string>

namespace docspec {
namespace {

constexpr std::array<std::string_view, 4> kSets = {"GB1", "CNS1", "Japan1", "Korea1"};

/// A line for each number, with its letter in hexadecimal.
std::vector<uint32_t> read_set(std::string_view ordering) {
  constexpr size_t kMost = 0x10000;
  std::ifstream file("/usr/share/poppler/cidToUnicode/Adobe-" + std::string(ordering));
  std::vector<uint32_t> letters;
  for (uint32_t letter = 0; letters.size() < kMost && file >> std::hex >> letter;)
    letters.push_back(letter);
  return letters;
}

}  // namespace

const std::vector<uint32_t>& letters_of_set(std::string_view ordering) {
  static const std::vector<uint32_t> none;
  static std::array<std::vector<uint32_t>, kSets.size()> read;
  static std::array<std::once_flag, kSets.size()> once;
  const size_t k = size_t(std::find(kSets.begin(), kSets.end(), ordering) - kSets.begin());
  if (k == kSets.size()) return none;
  std::call_once(once[k], [&] { read[k] = read_set(ordering); });
  return read[k];
}

}  // namespace docspec

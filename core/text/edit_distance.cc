#include "core/text/edit_distance.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/levenshtein.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

std::vector<uint32_t> letters(std::string_view text) {
  std::vector<uint32_t> out;
  const std::string whole = repair_utf8(text);
  for (size_t at = 0; at < whole.size();) {
    const uint32_t c = next_code_point(whole, at);
    if (!is_space(int32_t(c))) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

double normalized_edit_distance(std::string_view left, std::string_view right) {
  const std::vector<uint32_t> a = letters(left), b = letters(right);
  if (a.empty() && b.empty()) return 0;
  return double(levenshtein(a, b)) / double(std::max(a.size(), b.size()));
}

}  // namespace docspec

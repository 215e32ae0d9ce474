#include "tests/support/oracle_weights.h"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

uint64_t fnv1a(std::string_view text) {
  uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ uint8_t(c)) * 0x100000001b3;
  return value;
}

/// Mean 0, deviation 1: the sum of the four 16-bit numbers in SplitMix64's output.
double noise(uint64_t state) {
  uint64_t x = state;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  x ^= x >> 31;
  int64_t sum = 0;
  for (int lane = 0; lane < 4; ++lane) sum += int64_t(x >> 16 * lane & 0xffff);
  return double(sum - 131070) / 37837.0;
}

/// The upper half of a float; ties to even.
uint16_t bf16_bits(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

std::string random_numbers(const std::string& name, int64_t count, double offset, double scale) {
  std::string bytes;
  uint64_t state = fnv1a(name);
  for (int64_t i = 0; i < count; ++i) {
    state += 0x9E3779B97F4A7C15;
    const double scaled = scale * noise(state);  // rounded by itself, as numpy does
    const uint16_t bits = bf16_bits(float(offset + scaled));
    bytes += char(bits & 0xff);
    bytes += char(bits >> 8);
  }
  return bytes;
}

}  // namespace

void write_random_weights(const fs::path& recipe, const fs::path& folder) {
  const nlohmann::json told = nlohmann::json::parse(read_file(recipe));
  const std::string seed = std::to_string(told.at("seed").get<int64_t>());
  for (const auto& [file, content] : told.at("files").items()) {
    std::vector<RawTensor> tensors;
    for (const auto& [name, tensor] : content.at("tensors").items()) {
      const auto shape = tensor.at(0).get<std::vector<int64_t>>();
      int64_t count = 1;
      for (const int64_t n : shape) count *= n;
      tensors.push_back({name, "BF16", shape,
                         random_numbers(seed + "/" + name, count, tensor.at(1).get<double>(),
                                        tensor.at(2).get<double>())});
    }
    write_file(folder / file, safetensors_bytes(tensors));
  }
}

void write_oracle_cases(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  for (const auto& entry : fs::recursive_directory_iterator(from))
    if (entry.path().filename() == "weights.json")
      write_random_weights(entry.path(), to / fs::relative(entry.path().parent_path(), from));
}

}  // namespace docspec::test

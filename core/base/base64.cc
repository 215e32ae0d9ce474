#include "core/base/base64.h"

#include <array>
#include <cstdint>

namespace docspec {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> values() {
  std::array<int8_t, 256> out{};
  out.fill(-1);
  for (size_t i = 0; i < kDigits.size(); ++i) out[uint8_t(kDigits[i])] = int8_t(i);
  return out;
}
constexpr std::array<int8_t, 256> kValues = values();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const bool pad = i + k >= text.size() - padding;
      const int value = pad ? 0 : kValues[uint8_t(text[i + k])];
      if (value < 0) return std::nullopt;
      group = group << 6 | uint32_t(value);
    }
    for (int shift = 16; shift >= 0; shift -= 8) out += char(group >> shift & 255);
  }
  out.resize(out.size() - padding);
  return out;
}

}  // namespace docspec

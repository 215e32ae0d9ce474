#include "core/text/byte_map.h"

#include <array>

#include "core/text/unicode.h"

namespace docspec {
namespace {

struct ByteMap {
  std::array<uint16_t, 256> character{};  // byte -> code point
  std::array<int16_t, 512> byte{};        // code point -> byte, -1 = none

  ByteMap() {
    byte.fill(-1);
    int next = 256;  // bytes without a printable Latin-1 character take code points from here on
    for (int b = 0; b < 256; ++b) {
      const bool printable =
          (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
      character[size_t(b)] = uint16_t(printable ? b : next++);
      byte[character[size_t(b)]] = int16_t(b);
    }
  }
};

const ByteMap& byte_map() {
  static const ByteMap map;
  return map;
}

}  // namespace

std::string to_byte_characters(std::string_view bytes) {
  std::string out;
  for (const char b : bytes) append_utf8(out, byte_map().character[uint8_t(b)]);
  return out;
}

std::optional<std::string> from_byte_characters(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (c.value < 0 || c.value >= 512 || byte_map().byte[size_t(c.value)] < 0) return std::nullopt;
    out += char(byte_map().byte[size_t(c.value)]);
    i += c.bytes;
  }
  return out;
}

}  // namespace docspec

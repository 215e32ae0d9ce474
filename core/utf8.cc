#include "core/utf8.h"

namespace docspec {

uint32_t next_code_point(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  const uint8_t lead = byte(at);
  const int more = lead < 0x80         ? 0
                   : (lead >> 5) == 6  ? 1
                   : (lead >> 4) == 14 ? 2
                   : (lead >> 3) == 30 ? 3
                                       : -1;
  if (more <= 0) {
    ++at;
    return more == 0 ? lead : 0xFFFD;
  }
  uint32_t c = lead & (0x3F >> more);
  for (int i = 1; i <= more; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) {
      ++at;
      return 0xFFFD;
    }
    c = (c << 6) | (byte(at + i) & 0x3F);
  }
  at += more + 1;
  return c;
}

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += {char(0xC0 | (c >> 6)), char(0x80 | (c & 63))};
  } else if (c < 0x10000) {
    out += {char(0xE0 | (c >> 12)), char(0x80 | ((c >> 6) & 63)), char(0x80 | (c & 63))};
  } else {
    out += {char(0xF0 | (c >> 18)), char(0x80 | ((c >> 12) & 63)), char(0x80 | ((c >> 6) & 63)),
            char(0x80 | (c & 63))};
  }
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (char c : text) count += (uint8_t(c) & 0xC0) != 0x80;
  return count;
}

bool is_right_to_left(uint32_t c) {
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
         (c >= 0xFE70 && c <= 0xFEFF) || (c >= 0x10800 && c <= 0x10FFF) ||
         (c >= 0x1E800 && c <= 0x1EFFF);
}

}  // namespace docspec

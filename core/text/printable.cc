#include "core/text/printable.h"

#include <fmt/format.h>

#include "core/text/unicode.h"

namespace docspec {
namespace {

bool is_control(int32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/// Marks, embeddings, overrides and isolates of direction, and separators of lines.
bool turns_text(int32_t c) {
  return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    const std::string_view bytes = text.substr(at, c.bytes);
    at += c.bytes;
    if (c.value >= 0 && turns_text(c.value)) {
      out += fmt::format("\\u{{{:x}}}", c.value);
    } else if (c.value >= 0 && (!is_control(c.value) || c.value == '\t' ||
                                (c.value == '\n' && breaks == LineBreaks::keep))) {
      out += bytes;
    } else if (c.value == '\n') {
      out += "\\n";
    } else {
      for (const char byte : bytes)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
  }
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    if (c.value < 0 || !is_control(c.value) || c.value == '\t' || c.value == '\n')
      out += text.substr(at, c.bytes);
    at += c.bytes;
  }
  return out;
}

}  // namespace docspec

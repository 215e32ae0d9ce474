#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// `text` for troff: backslashes, hyphens and a leading dot or quote are read as characters.
inline std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return out.starts_with(".") || out.starts_with("'") ? "\\&" + out : out;
}

}  // namespace docspec

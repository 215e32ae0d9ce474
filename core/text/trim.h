#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace docspec {

/// `text` without the characters of `blanks` at both ends.
inline std::string trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  const size_t first = text.find_first_not_of(blanks), last = text.find_last_not_of(blanks);
  return first == text.npos ? "" : std::string(text.substr(first, last + 1 - first));
}

/// `text` with a blank in place of each line break.
inline std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace docspec

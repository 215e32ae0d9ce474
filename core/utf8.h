#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace docspec {

/// The code point at `at` (moved behind it); U+FFFD for a malformed byte.
uint32_t next_code_point(std::string_view text, size_t& at);

/// Appends `code_point` as UTF-8.
void append_utf8(std::string& out, uint32_t code_point);

/// Number of code points.
size_t count_code_points(std::string_view text);

/// Hebrew, Arabic and their neighbours: letters written from right to left.
bool is_right_to_left(uint32_t code_point);

}  // namespace docspec

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace docspec {

/// Whether LaTeX is a formula of one row, whose brackets are closed, with so many fractions and
/// more, and without commands that are rare within lines of text.
bool is_whole(const std::string& latex, size_t fractions);

/// How many letters and digits two texts do not share, of LaTeX or OCR.
size_t letters_apart(std::string_view latex, std::string_view seen);

/// The LaTeX of a part of a fraction as OCR read it, a text and its least confidence: letters,
/// digits and the signs of sums alone; else nothing.
std::string plain_part(const std::pair<std::string, double>& seen);

}  // namespace docspec

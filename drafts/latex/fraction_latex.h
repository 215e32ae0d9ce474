#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace docspec {

/// Whether LaTeX is a formula of one row, whose brackets are closed, with so many fractions and
/// more, and without commands that are rare within lines of text.
bool is_whole(const std::string& latex, size_t fractions);

/// A text that OCR read, and its least confidence.
struct SeenPart {
  std::string text;
  double confidence = 1;
};

/// Whether a formula has the letters, digits and signs that OCR read of it, but for one in six, and
/// the letters for which OCR takes a times sign. What OCR did not see may be in it.
bool agrees(std::string_view latex, std::string_view seen);

/// LaTeX without bold and upright faces of names: the model takes letters without serifs for them.
std::string without_faces(std::string latex);

/// The LaTeX of a part of a fraction as OCR read it: letters, digits, roots and the signs of sums
/// alone; else nothing.
std::string plain_part(const SeenPart& seen);

}  // namespace docspec

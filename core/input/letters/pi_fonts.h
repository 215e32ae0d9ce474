#pragma once

#include <cstdint>
#include <string_view>

namespace docspec {

/// The sign of a code in Linotype's pi fonts, with which journals were set for years and whose PDFs
/// have no maps: "1" of MathematicalPi-One is "+", "6" is "±", "a" is "α"; where its glyphs are
/// named by numbers, "H11002" is a minus, and readers give U+2AFA. LaTeX's euro is an "e" of a
/// font of its own, China's journals (CNKI) have one of Chinese punctuation, and WordPerfect one of
/// bullets and quotes. 0 = a letter as it
/// reads.
uint32_t pi_sign(std::string_view font, uint32_t letter);

}  // namespace docspec

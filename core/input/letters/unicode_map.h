#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace docspec {

/// The letters that a font's ToUnicode map (PDF 32000-1, 9.10.3) gives to its codes of one byte; 0
/// = none, or several letters that are no ligature. Reads as far as it understands.
std::array<uint32_t, 256> letters_of_map(std::string_view map);

/// A ToUnicode map that gives these letters to codes of one byte; 0 = none, as have letters of
/// Unicode's private area. Ligatures of Latin letters are spelled.
std::string map_of_letters(const std::array<uint32_t, 256>& letters);

/// Letters by code.
using CodeLetters = std::unordered_map<unsigned, uint32_t>;

/// Those of its codes of two bytes, as far as it has them.
CodeLetters letters_of_wide_map(std::string_view map);

/// The plain letter of one of Unicode's mathematical italics ("𝛼" is "α"), the combining accent of
/// one that stands alone, ":" of a ratio; of others the letter itself.
uint32_t plain_sign(uint32_t letter);

}  // namespace docspec

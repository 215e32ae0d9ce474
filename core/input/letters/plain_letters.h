#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace docspec {

/// Letters of a word as any other text has them: Latin ligatures spelled out; the mathematical
/// italics of formulas; old-style digits and small capitals that Adobe's fonts have in the private
/// area; the arrow that Quartz writes for the first ligature of TeX's fonts; Chinese radicals that
/// stand for the ideographs of their shape.
std::vector<uint32_t> plain_letters(const std::vector<uint32_t>& letters);

/// The plain letter of one of Unicode's mathematical italics: "𝑎" is "a", "𝛼" is "α"; of others the
/// letter itself.
uint32_t plain_italic(uint32_t c);

constexpr uint32_t kSoftHyphen = 0xAD;

/// A control code is what Poppler gives for a glyph whose font has no map.
bool is_unmapped(uint32_t c);

/// Plain letters as UTF-8, without white space and control codes; U+FFFD where is_unmapped. A soft
/// hyphen shows at the end of a line only, and not after a hyphen.
std::string clean_utf8(const std::vector<uint32_t>& letters);

/// The sign that TeX's stroke (U+0338) makes of `c`, as "≠" of "="; 0 where Unicode has none.
uint32_t struck(uint32_t c);

}  // namespace docspec

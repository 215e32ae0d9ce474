#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

class QPDFObjectHandle;

namespace docspec {

/// A font of TeX that a PDF has as bitmaps, with neither its name nor its codes' letters.
struct BitmapFont {
  std::string name;               ///< as "CMMI10"
  double em = 0;                  ///< its size in the units of its glyphs
  std::array<int, 256> codes{};   ///< in TeX's font by their codes in the file; -1 = no glyph
  std::array<double, 256> widths{};  ///< by codes in the file, in the units of the glyphs

  /// The number of its glyphs.
  int size() const {
    return int(std::count_if(codes.begin(), codes.end(), [](int code) { return code >= 0; }));
  }
};

/// The font of TeX whose glyphs are as wide and as high as those of a bitmap font (Type 3), if the
/// names of its glyphs are codes of TeX: "a", "a97", "97". Nothing for other fonts, and where fonts
/// with other letters fit as well.
std::optional<BitmapFont> read_bitmap_font(QPDFObjectHandle font);

/// The letter at a code of one of these fonts; 0 = none.
uint32_t letter_of_bitmap(std::string_view font, int code);

}  // namespace docspec

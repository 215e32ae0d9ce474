#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

class QPDFObjectHandle;

namespace docspec {

/// A font of TeX that a PDF has as bitmaps, with neither its name nor its codes' letters.
struct BitmapFont {
  std::string name;                     ///< as "CMMI10"
  double em = 0;                        ///< its size in the units of its glyphs
  std::array<int, 256> codes{};         ///< in TeX's font by their codes in the file; -1 = no glyph
  std::array<double, 256> widths{};     ///< by codes in TeX's font, in the units of the glyphs
  std::array<uint32_t, 256> letters{};  ///< by codes in TeX's font; 0 = none

  /// The number of its glyphs.
  int size() const {
    return int(std::count_if(codes.begin(), codes.end(), [](int code) { return code >= 0; }));
  }
};

/// The font of TeX whose glyphs are as wide and as high as those of a bitmap font (Type 3), if the
/// names of its glyphs are codes of TeX: "a", "a97", "97". A few glyphs of a font for text may be
/// others: those that its European edition has at their codes. Nothing for other fonts, and where
/// fonts with other letters fit as well.
std::optional<BitmapFont> read_bitmap_font(QPDFObjectHandle font);

}  // namespace docspec

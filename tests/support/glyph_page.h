// A page of glyphs as TeX places them: fonts of 10 points, indices of 7, in points.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/input/letters/tex_fonts.h"
#include "core/page/page_glyphs.h"
#include "core/text/unicode.h"

namespace docspec {

/// Writes glyphs from left to right, one after the other.
class GlyphPage {
 public:
  /// Letters of one font; `gap` before them. Returns to write on.
  GlyphPage& put(std::string_view letters, std::string_view font, double raise = 0, double gap = 0,
                 double size = 10) {
    x_ += gap;
    for (size_t at = 0; at < letters.size();) {
      const uint32_t letter = next_code_point(letters, at);
      add({letter, font_index(font), x_, x_ + 0.5 * size, base_ - raise, base_ - raise - 0.7 * size,
           base_ - raise + 0.2 * size, size, order_++});
      x_ += 0.5 * size;
    }
    return *this;
  }
  GlyphPage& math(std::string_view letters, double raise = 0) {
    return put(letters, "CMMI10", raise);
  }
  GlyphPage& sub(std::string_view letters) { return put(letters, "CMMI7", -1.5, 0, 7); }
  GlyphPage& sup(std::string_view letters) { return put(letters, "CMMI7", 3.6, 0, 7); }
  /// A sign of the font of large symbols whose top is `above` over the line.
  GlyphPage& large(unsigned code, double above) {
    const TexGlyph glyph = *tex_glyph("CMEX10", code);
    const double base = base_ - above + 10 * glyph.above;
    add({glyph.letter, font_index("CMEX10"), x_, x_ + 8, base, base - 10 * glyph.above,
         base + 10 * glyph.below, 10, order_++});
    x_ += 8;
    return *this;
  }
  GlyphPage& bar(double x0, double x1, double raise) {
    page_.rules.push_back({x0, base_ - raise - 0.4, x1, base_ - raise, order_++});
    return *this;
  }
  /// A line from top to bottom, as tables have between columns.
  GlyphPage& upright(double x, double top, double bottom) {
    page_.uprights.push_back({x, top, x + 0.4, bottom, order_});
    return *this;
  }
  GlyphPage& at(double x) {
    x_ = x;
    return *this;
  }
  GlyphPage& line(double base, double x = 100) {
    base_ = base;
    x_ = x;
    return *this;
  }
  GlyphPage& prose(double base, double x = 50) {
    line(base, x);
    for (int i = 0; i < 6; ++i) put("proves", "CMR10", 0, 3);
    return *this;
  }
  /// Words of prose, with a blank before each.
  GlyphPage& text(std::initializer_list<const char*> words) {
    for (const char* word : words) put(word, "CMR10", 0, 3);
    return *this;
  }
  GlyphPage& roman(const char* letters, double gap = 0) { return put(letters, "CMR10", 0, gap); }
  GlyphPage& variable(const char* letter, double gap = 3) { return put(letter, "CMMI10", 0, gap); }
  GlyphPage& sign(const char* letter, double gap = 2.8) { return put(letter, "CMSY10", 0, gap); }
  double x() const { return x_; }

  const PageGlyphs& glyphs() const { return page_; }

 private:
  void add(const PageGlyph& glyph) { page_.glyphs.push_back(glyph); }
  int font_index(std::string_view name) {
    const auto at = std::find(page_.fonts.begin(), page_.fonts.end(), name);
    if (at == page_.fonts.end()) page_.fonts.emplace_back(name);
    return int(std::find(page_.fonts.begin(), page_.fonts.end(), name) - page_.fonts.begin());
  }

  PageGlyphs page_;
  double x_ = 100, base_ = 100;
  int order_ = 0;
};

}  // namespace docspec

#include "drafts/ocr/formulas/seen_formulas.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/ink_line.h"

namespace docspec {
namespace {

/// Signs that stand alone and are read as Chinese characters.
uint32_t sign_for(uint32_t letter) {
  return counterpart(letter, U"二三十一台", U"=≡+−⇔");
}

/// Whether something stands right above and right below a dash: it is the bar of a fraction.
bool is_bar(const PageGlyph& dash, const std::vector<PageGlyph>& glyphs) {
  if (!is_one_of(dash.letter, U"-−—–_")) return false;
  const auto stands = [&](bool above) {
    return std::any_of(glyphs.begin(), glyphs.end(), [&](const PageGlyph& glyph) {
      const double gap = above ? dash.top - glyph.bottom : glyph.top - dash.bottom;
      const double height = glyph.bottom - glyph.top, x = (glyph.x0 + glyph.x1) / 2;
      return &glyph != &dash && gap > -height / 4 && gap < height / 2 && x > dash.x0 - height / 4 &&
             x < dash.x1 + height / 4;
    });
  };
  return stands(true) && stands(false);
}

/// Makes letters that stand alone variables: within a formula they are no words.
void mark_lone_letters(std::vector<PageGlyph>& glyphs, int variables) {
  constexpr double kBlank = 0.2;  // font sizes
  const auto beside = [&](const PageGlyph& letter, const PageGlyph& other) {
    return is_latin_letter(other.letter) && other.base == letter.base &&
           std::max(other.x0 - letter.x1, letter.x0 - other.x1) < kBlank * letter.size;
  };
  for (size_t i = 0; i < glyphs.size(); ++i)
    if (is_ascii_letter(glyphs[i].letter) && (i == 0 || !beside(glyphs[i], glyphs[i - 1])) &&
        (i + 1 == glyphs.size() || !beside(glyphs[i], glyphs[i + 1])))
      glyphs[i].font = variables;
}

std::optional<std::string> latex_of(const PageGlyphs& page, const Box& box) {
  const auto holds = [&](double x, double y) {
    return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
  };
  std::vector<PageGlyph> inside, glyphs;
  for (const PageGlyph& glyph : page.glyphs) {
    if (!holds((glyph.x0 + glyph.x1) / 2, (glyph.top + glyph.bottom) / 2)) continue;
    inside.push_back(glyph);
    inside.back().letter = sign_for(glyph.letter);
  }
  mark_lone_letters(inside, int(InkLetter::Use::variable));
  std::vector<PageRule> bars;
  for (const PageRule& bar : page.rules)
    if (holds((bar.x0 + bar.x1) / 2, (bar.y0 + bar.y1) / 2))  // wider than the words
      bars.push_back(bar);
  for (const PageGlyph& glyph : inside) {
    if (is_bar(glyph, inside))
      bars.push_back({glyph.x0, glyph.top, glyph.x1, glyph.bottom, -1});
    else
      glyphs.push_back(glyph);
  }
  std::stable_sort(glyphs.begin(), glyphs.end(),
                   [](const PageGlyph& a, const PageGlyph& b) { return a.x0 < b.x0; });
  for (size_t i = 0; i < glyphs.size(); ++i) glyphs[i].order = int(i);
  return formula_latex(page.fonts, glyphs, bars);
}

}  // namespace

void write_seen_formulas(std::vector<Draft>& drafts, std::span<const Region> regions,
                         const PageGlyphs& page) {
  for (Draft& draft : drafts) {
    const auto region = std::find_if(regions.begin(), regions.end(), [&](const Region& each) {
      return each.id == draft.region && each.kind == RegionKind::formula;
    });
    if (region == regions.end()) continue;
    if (const auto latex = latex_of(page, region->box)) draft.text = "$$" + *latex + "$$";
  }
}

}  // namespace docspec

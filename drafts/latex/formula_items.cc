#include "drafts/latex/formula_items.h"

#include <algorithm>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

uint32_t only_letter(const std::string& text) {
  return count_code_points(text) == 1 ? first_code_point(text) : 0;
}

/// Fonts of text and those of bold variables and signs.
bool is_bold_font(const std::string& font) {
  return font_style(font).bold || font.starts_with("CMMIB") || font.starts_with("CMBSY");
}

constexpr std::u32string_view kOpen = U"([{⟨⌊⌈", kClose = U")]}⟩⌋⌉";

bool is_bracket(uint32_t sign) {
  return opens_bracket(sign) || closes_bracket(sign) || is_fence(sign);
}

}  // namespace

uint32_t closing_of(uint32_t open) {
  return counterpart(open, kOpen, kClose);
}
bool opens_bracket(uint32_t c) {
  return is_one_of(c, kOpen);
}
bool closes_bracket(uint32_t c) {
  return is_one_of(c, kClose);
}
bool is_fence(uint32_t c) {
  return c == '|' || c == 0x2016;
}

FormulaItems formula_items(std::span<const std::string> fonts, std::span<const PageGlyph> glyphs) {
  constexpr double kTall = 1.05;   // font sizes
  constexpr double kLeast = 0.62;  // of the largest font: TeX has fonts for indices of indices
  FormulaItems items;
  double largest = 0;
  for (const PageGlyph& glyph : glyphs) largest = std::max(largest, glyph.size);
  for (const PageGlyph& glyph : glyphs) {
    const std::string& font = fonts[size_t(glyph.font)];
    if (glyph.letter == 0) throw UnreadableFormula{};
    FormulaItem item;
    item.sign = glyph.letter;
    item.x0 = glyph.x0;
    item.x1 = glyph.x1;
    item.top = glyph.top;
    item.bottom = glyph.bottom;
    item.base = glyph.base;
    item.size = glyph.size;
    item.order = glyph.order;
    item.roman = !is_variables_font(font);
    item.bold = is_bold_font(font);
    item.tall = is_bracket(item.sign) && item.height() > kTall * item.size;
    item.least = item.size < kLeast * largest;
    items.push_back(std::move(item));
  }
  return items;
}

FormulaItems formula_items(std::span<const Word> words, double dpi) {
  FormulaItems items;
  for (const Word& word : words) {
    const double size = word.font_size_pt > 0 ? word.font_size_pt * dpi / 72 : word.box.height();
    // Large signs stand alone, also where Poppler sees a word of two.
    const bool large = word.box.height() > 1.15 * size || word.text.find("√") != word.text.npos;
    const size_t count = count_code_points(word.text);
    for (size_t at = 0, k = 0; at < word.text.size(); ++k) {
      Word part = word;
      if (large && count > 1) {
        const size_t from = at;
        next_code_point(word.text, at);
        part.text = word.text.substr(from, at - from);
        part.box.x0 = word.box.x0 + int(word.box.width() * k / count);
        part.box.x1 = word.box.x0 + int(word.box.width() * (k + 1) / count);
      } else {
        at = word.text.size();
      }
      FormulaItem item;
      item.sign = only_letter(part.text);
      if (item.sign != 0x221A) item.latex = latex_of(part);
      if (item.latex.empty() && item.sign != 0x221A) throw UnreadableFormula{};
      item.x0 = part.box.x0;
      item.x1 = part.box.x1;
      item.top = part.box.y0;
      item.bottom = part.box.y1;
      item.base = item.axis() + 0.25 * size;
      item.size = size;
      item.tall = large && is_bracket(item.sign);
      items.push_back(std::move(item));
    }
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const FormulaItem& a, const FormulaItem& b) { return a.x0 < b.x0; });
  for (size_t i = 0; i < items.size(); ++i) items[i].order = int(i);
  return items;
}

FormulaItems slice(const FormulaItems& items, size_t from, size_t to) {
  return {items.begin() + std::ptrdiff_t(from), items.begin() + std::ptrdiff_t(to)};
}

void replace(FormulaItems& items, size_t from, size_t to, FormulaItem by) {
  items.erase(items.begin() + std::ptrdiff_t(from) + 1, items.begin() + std::ptrdiff_t(to));
  items[from] = std::move(by);
}

FormulaItem joined_item(std::string latex, const FormulaItems& of, const FormulaItem& like) {
  FormulaItem item = like;
  item.latex = std::move(latex);
  item.sign = 0;
  item.whole = item.tall = item.roman = item.bold = item.least = false;
  for (const FormulaItem& part : of) {
    item.x0 = std::min(item.x0, part.x0);
    item.x1 = std::max(item.x1, part.x1);
    item.top = std::min(item.top, part.top);
    item.bottom = std::max(item.bottom, part.bottom);
    item.order = std::min(item.order, part.order);
  }
  return item;
}

FormulaItem whole_item(std::string latex, const FormulaItems& of, const FormulaItem& like) {
  FormulaItem item = joined_item(std::move(latex), of, like);
  item.whole = true;
  return item;
}

bool hangs(const FormulaItem& item) {
  constexpr double kLargeSlash = 1.1;  // font sizes, of its ink
  return item.tall || is_large_operator(item.sign) ||
         (item.sign == '/' && item.height() > kLargeSlash * item.size);
}

bool on_line(const FormulaItem& item, double size) {
  return item.size > 0.85 * size && !hangs(item);
}

double main_size(const FormulaItems& items) {
  double size = 0, any = 0, within = 0;
  for (const FormulaItem& item : items) {
    const bool bracket = is_bracket(item.sign);
    any = std::max(any, item.size);
    if (!hangs(item)) size = std::max(size, item.size);
    if (!hangs(item) && !bracket) within = std::max(within, item.size);
  }
  // Around what is small TeX sets brackets of a larger font; what follows is no index of them.
  const bool larger = items.size() > 1 &&
                      (opens_bracket(items[0].sign) || is_fence(items[0].sign)) && within > 0 &&
                      within < 0.85 * size && std::abs(items[1].base - items[0].base) < 0.12 * size;
  return larger ? within : size > 0 ? size : any;
}

const FormulaItem& main_item(const FormulaItems& items) {
  const double size = main_size(items);
  std::vector<std::pair<double, size_t>> bases;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!on_line(items[i], size)) continue;
    if (items[i].least) return items[i];  // the others may be its indices
    bases.emplace_back(items[i].base, i);
  }
  return bases.empty() ? items.front() : items[median(std::move(bases)).second];
}

}  // namespace docspec

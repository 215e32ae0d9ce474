#include "drafts/formula/glyph_lines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/input/wide/wide_font.h"
#include "core/text/unicode.h"
#include "drafts/formula/algorithm_boxes.h"
#include "drafts/formula/base_lines.h"
#include "drafts/formula/formula_bars.h"
#include "drafts/formula/stacked_signs.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// The first of glyphs or bars that was written at `order` or later.
template <class Drawn>
auto first_from(const std::vector<Drawn>& drawn, int order) {
  return std::lower_bound(drawn.begin(), drawn.end(), order,
                          [](const Drawn& one, int value) { return one.order < value; });
}

}  // namespace

bool holds(const GlyphRun& line, const PageGlyph& g) {
  constexpr int kNear = 40;  // glyphs
  const double em = line.size;
  if (g.order >= line.first && g.order <= line.last) return true;
  if (g.order <= line.first - kNear || g.order >= line.last + kNear) return false;
  // A sign that a font of formulas sets a little larger than the text is of no run of it.
  const bool on_line = std::abs(g.base - line.base) < 0.05 * em;
  const double letters = std::clamp(g.order - line.last, 0, 8);  // of an index behind the line
  const double reach = ((on_line ? 0.8 : 1.5) + 0.6 * letters) * em;
  const double middle = (g.top + g.bottom) / 2;
  return g.x0 > line.x0 - em && g.x1 < line.x1 + reach && middle > line.base - em &&
         middle < line.base + 0.5 * em &&
         (on_line || g.size < 0.85 * em || g.bottom - g.top > em || is_accent(g.letter));
}

GlyphLines::GlyphLines(const PageGlyphs& page) : page_(page), lines_(page.glyphs.size()) {
  for (const std::string& font : page.fonts) {
    const FontStyle style = font_style(font);
    fonts_.push_back({is_math_font(font), is_variables_font(font), style.mono, style.italic});
  }
  whole_formulas_ = std::any_of(page.fonts.begin(), page.fonts.end(), is_upright_name);
  // Word has all of a formula in its font; XeTeX and LuaTeX take its words from those of the text.
  const bool word = std::any_of(page.fonts.begin(), page.fonts.end(), [](const std::string& font) {
    return is_upright_name(font) && font.starts_with("Cambria");
  });
  for (size_t k = 0; k < fonts_.size(); ++k)
    fonts_[k].text = word && !fonts_[k].math && !is_upright_name(page.fonts[k]);
  // A page whose variables have a font of their own does not set them in the slanted one of text.
  constexpr std::ptrdiff_t kFew = 5;
  const auto variables = std::count_if(page.glyphs.begin(), page.glyphs.end(), [&](auto& glyph) {
    return fonts_[size_t(glyph.font)].math && is_latin_letter(glyph.letter);
  });
  for (FontUse& font : fonts_)
    if (variables > kFew) font.variables = font.math;
  mark_upright_math();
  latex_fonts_ = page.fonts;
  for (size_t k = 0; k < fonts_.size(); ++k)
    if (fonts_[k].italic && !fonts_[k].math && !fonts_[k].variables) latex_fonts_[k] = "CMR10";
  find_runs();
  page_number_ = page_number();
  find_lines();
}

/// Where the text is not in TeX's own roman, what is in it is of formulas.
void GlyphLines::mark_upright_math() {
  constexpr size_t kMuchMore = 10;
  const auto is_roman = [&](size_t font) {
    const std::string& name = page_.fonts[font];
    return name.starts_with("CMR") && name.size() > 3 && std::isdigit(uint8_t(name[3]));
  };
  size_t roman = 0, others = 0;
  for (const PageGlyph& glyph : page_.glyphs)
    if (is_latin_letter(glyph.letter) && !fonts_[size_t(glyph.font)].math)
      ++(is_roman(size_t(glyph.font)) ? roman : others);
  if (others > kMuchMore * roman)
    for (size_t k = 0; k < fonts_.size(); ++k) fonts_[k].math |= is_roman(k);
}

std::vector<size_t> GlyphLines::glyphs(int from, int to) const {
  const auto begin = page_.glyphs.begin();
  std::vector<size_t> out(size_t(first_from(page_.glyphs, to) - first_from(page_.glyphs, from)));
  std::iota(out.begin(), out.end(), size_t(first_from(page_.glyphs, from) - begin));
  return out;
}

std::vector<PageRule> GlyphLines::rules(int from, int to) const {
  return {first_from(page_.rules, from), first_from(page_.rules, to)};
}

/// Whether what was written between two glyphs of a line fills the gap between them: a long index,
/// a root over a fraction, a sum with its limits.
bool GlyphLines::bridged(size_t left, size_t right) const {
  const PageGlyph &from = glyph(left), &to = glyph(right);
  if (right < left + 2) return false;
  constexpr double kTall = 1.3;  // font sizes: a root, which hangs from where it stands
  const double slack = 0.3 * from.size;
  double begun = to.x0, reached = from.x1;
  bool limits = false;
  for (size_t i = left + 1; i < right; ++i) {
    const PageGlyph& g = glyph(i);
    // An accent over the second one may be written before it.
    const double end = is_accent(g.letter) ? std::max(to.x1, to.x0 + to.size) : to.x0;
    const bool tall =
        g.bottom - g.top >= kTall * from.size && g.top <= from.base && g.bottom >= from.base;
    const bool limit = std::any_of(page_.glyphs.begin() + std::ptrdiff_t(left),
                                   page_.glyphs.begin() + std::ptrdiff_t(right),
                                   [&](const PageGlyph& sign) { return is_limit_of(g, sign); });
    const bool off = std::abs(g.base - from.base) > from.size && !tall;
    if (g.x0 < from.x1 - slack || g.x1 > end + slack || (off && !limit)) return false;
    limits |= off;
    begun = std::min(begun, g.x0);
    reached = std::max(reached, g.x1);
  }
  return (!limits || begun - from.x1 < from.size) && to.x0 - reached < from.size;
}

void GlyphLines::find_runs() {
  constexpr double kGap = 2.2;   // font sizes
  constexpr int kOrderGap = 60;  // indices between two letters of a line
  std::vector<size_t> sorted(size());
  for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
  const std::vector<std::pair<size_t, size_t>> lines = lines_and_sizes(page_.glyphs);
  std::stable_sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
    return std::tuple(lines[a], glyph(a).x0) < std::tuple(lines[b], glyph(b).x0);
  });
  for (size_t k = 0; k < sorted.size(); ++k) {
    const PageGlyph& g = glyph(sorted[k]);
    const bool next = k > 0 && lines[sorted[k]] == lines[sorted[k - 1]] &&
                      std::abs(g.order - glyph(sorted[k - 1]).order) < kOrderGap &&
                      (g.x0 - runs_.back().x1 < kGap * g.size || bridged(sorted[k - 1], sorted[k]));
    if (!next) {
      runs_.emplace_back();
      runs_.back().first = runs_.back().last = g.order;
      runs_.back().base = g.base;
      runs_.back().size = g.size;
    }
    GlyphRun& run = runs_.back();
    run.glyphs.push_back(sorted[k]);
    run.x0 = std::min(run.x0, g.x0);
    run.x1 = std::max(run.x1, g.x1);
    run.first = std::min(run.first, g.order);
    run.last = std::max(run.last, g.order);
  }
  for (GlyphRun& run : runs_) run.prose = is_prose(run);
  std::vector<double> margins;
  for (const GlyphRun& run : runs_)
    if (run.prose) margins.push_back(run.x0);
  for (GlyphRun& run : runs_)
    run.prose |= std::any_of(margins.begin(), margins.end(),
                             [&](double x) { return std::abs(run.x0 - x) < 0.2 * run.size; }) &&
                 opens_with_word(run);
  for (GlyphRun& run : runs_) run.prose |= opens_item(run) || ends_at_mark(run);
  for (GlyphRun& run : runs_)
    run.prose = run.prose && !is_side_of_fraction(page_, run.x0, run.x1, run.base, run.size);
  const std::vector<Box> algorithms = find_algorithms();
  for (GlyphRun& run : runs_)
    run.prose |= std::any_of(algorithms.begin(), algorithms.end(), [&](const Box& box) {
      return run.base > box.y0 && run.base < box.y1 && run.x0 > box.x0 - run.size &&
             run.x1 < box.x1 + run.size && !is_index(run);
    });
}

std::vector<Box> GlyphLines::find_algorithms() const {
  std::vector<Box> titles, rules;
  double em = 0;
  for (const GlyphRun& run : runs_) {
    std::string text;
    for (size_t k = 0; k < run.glyphs.size() && text.size() < 12; ++k)
      append_utf8(text, glyph(run.glyphs[k]).letter);
    if (!is_algorithm_title(text)) continue;
    titles.push_back({int(run.x0), int(run.base - 0.7 * run.size), int(run.x1), int(run.base)});
    em = run.size;
  }
  if (titles.empty()) return {};
  for (const PageRule& rule : page_.rules)
    rules.push_back({int(rule.x0), int(rule.y0), int(rule.x1), int(rule.y1)});
  return algorithm_boxes(rules, titles, em);
}

/// Whether the mark of a list was written right after a run and stands at its right, where an item
/// begins that is read from there.
bool GlyphLines::ends_at_mark(const GlyphRun& run) const {
  constexpr double kBlank = 0.15, kNear = 1.5, kLevel = 0.3, kTall = 2.3;  // font sizes
  const auto mark = first_from(page_.glyphs, run.last + 1);
  return mark != page_.glyphs.end() && mark->letter == 0x2022 && run.glyphs.size() > 1 &&
         mark->x0 - run.x1 > kBlank * run.size && mark->x0 - run.x1 < kNear * run.size &&
         std::abs(mark->base - run.base) < kLevel * run.size && height(run) < kTall * run.size;
}

bool GlyphLines::opens_item(const GlyphRun& run) const {
  static constexpr std::u32string_view kMarks = U"•–∗◦▪";
  constexpr double kBlank = 0.35, kTall = 2.3;  // font sizes
  if (run.glyphs.size() < 2) return false;
  const PageGlyph &mark = glyph(run.glyphs[0]), &next = glyph(run.glyphs[1]);
  if (kMarks.find(char32_t(mark.letter)) == kMarks.npos || next.letter == mark.letter ||
      next.x0 - mark.x1 <= kBlank * run.size)
    return false;
  const auto first = first_from(page_.glyphs, run.first);
  if (first != page_.glyphs.begin()) {  // the star of "x^*" follows its letter
    const PageGlyph& before = *std::prev(first);
    if (std::abs(before.base - run.base) < before.size && before.x0 < mark.x0 &&
        mark.x0 - before.x1 < run.size)
      return false;
  }
  return height(run) < kTall * run.size;
}

double GlyphLines::height(const GlyphRun& run) const {
  double top = 1e9, bottom = -1e9;
  for (auto at = first_from(page_.glyphs, run.first);
       at != page_.glyphs.end() && at->order <= run.last; ++at)
    top = std::min(top, at->top), bottom = std::max(bottom, at->bottom);
  return bottom - top;
}

/// Whether a run begins with a word, and another one follows or no signs are in it ("because of a =
/// b, then", "and"): a line of text where it stands at the margin, unless it is as high as several.
bool GlyphLines::opens_with_word(const GlyphRun& run) const {
  constexpr double kWithin = 0.13, kTall = 2.3;  // font sizes
  size_t words = 0, length = 0;
  double end = 0;
  bool label = false;  // "Proof.", "Q27." have ended
  for (const size_t i : run.glyphs) {
    const PageGlyph& g = glyph(i);
    const bool digit = length > 0 && words < 2 && is_digit(g.letter);  // of "Q27."
    const bool letter = !math(i) && !font(i).variables && (is_latin_letter(g.letter) || digit);
    label |= words == 1 && length > 1 && (g.letter == '.' || g.letter == ':') && !math(i) &&
             g.x0 - end < kWithin * g.size;
    if (!letter && words == 0) return false;
    const bool goes_on = letter && length > 0 && g.x0 - end < kWithin * g.size;
    length = goes_on ? length + 1 : letter;
    words += length == 2;
    if (words == 0 && length == 1 && &g != &glyph(run.glyphs.front())) return false;
    end = g.x1;
  }
  bool signs = false;
  constexpr int kNext = 60;                       // glyphs
  constexpr double kLarge = 1.3, kLimits = 0.85;  // font sizes: a brace, limits above a sum
  for (auto at = first_from(page_.glyphs, run.first);
       at != page_.glyphs.end() && at->order <= run.last + kNext; ++at) {
    if (at->order > run.last) {
      const bool brace = at->bottom - at->top > kLarge * run.size && at->top < run.base;
      const bool above = at->bottom < run.base - kLimits * run.size;
      if (at->x0 > run.x1 &&
          ((brace && at->bottom > run.base) || (above && at->top > run.base - kTall * run.size)))
        return false;
      continue;
    }
    signs |= fonts_[size_t(at->font)].math || is_relation(at->letter);
  }
  return words > (signs && !label ? 1 : 0) && height(run) < kTall * run.size;
}

/// Whether signs stand close to it: a word of a formula has them before or behind it.
bool GlyphLines::beside_signs(const GlyphRun& run) const {
  constexpr double kAbove = 1.6, kAside = 1.5;  // font sizes
  const auto close = [&](const PageGlyph& g) {
    return fonts_[size_t(g.font)].math && g.x0 < run.x1 + kAside * run.size &&
           g.x1 > run.x0 - kAside * run.size && g.bottom > run.base - kAbove * run.size &&
           g.top < run.base + kAbove * run.size;
  };
  const auto first = first_from(page_.glyphs, run.first);
  const auto after = first_from(page_.glyphs, run.last + 1);
  return (first != page_.glyphs.begin() && close(*std::prev(first))) ||
         (after != page_.glyphs.end() && close(*after));
}

/// Whether it is the index of a sign of a formula, "(word)" of "z^{(word)}", or the label of a
/// brace on its side.
bool GlyphLines::is_index(const GlyphRun& run) const {
  constexpr double kSmaller = 0.8, kAside = 0.4;  // of the sign's size
  constexpr int kLongest = 8;                     // glyphs of the index above it
  const auto first = first_from(page_.glyphs, run.first);
  if (first == page_.glyphs.begin()) return false;
  auto before = std::prev(first);
  for (int k = 0;
       k < kLongest && before != page_.glyphs.begin() && run.size >= kSmaller * before->size; ++k)
    --before;
  const PageGlyph& sign = *before;
  const bool braced = sign.letter >= 0xE010 && sign.letter <= 0xE014;  // by the last of its pieces
  return (fonts_[size_t(sign.font)].math || is_math_letter(sign.letter)) &&
         run.size < kSmaller * sign.size && std::abs(run.base - sign.base) < sign.size &&
         (run.x0 > sign.x0 || braced) && run.x0 < sign.x1 + kAside * sign.size;
}

bool GlyphLines::is_prose(const GlyphRun& run) const {
  constexpr double kWithin = 0.13;  // font sizes
  size_t ordinary = 0, letters = 0, signs = 0;
  std::string word;
  double end = 0;
  bool slanted = false;  // "ln q" in the fonts of text
  bool text = false;     // in a font of text, where formulas have none of these, or from the right
  const auto close = [&] {
    if (text && word.size() >= 3 && !is_function_name(word)) ordinary += 3;
    const bool product = slanted && std::none_of(word.begin(), word.end(), ::islower);  // "IJK"
    if (word.size() >= 3 && !product && !is_function_name(word) && !is_connecting_word(word)) {
      ++ordinary;
      letters += word.size();
    }
    word.clear();
  };
  for (const size_t i : run.glyphs) {
    const PageGlyph& g = glyph(i);
    // A glyph of a font of text whose letter is not known is one of a word, too.
    const bool letter =
        !math(i) && (g.letter == 0 || is_latin_letter(g.letter) || is_right_to_left(g.letter));
    ordinary += !math(i) && is_cjk(g.letter);
    if (!letter || g.x0 - end > kWithin * g.size || font(i).variables != slanted) close();
    slanted = font(i).variables;
    text = (font(i).text && !font(i).italic) || is_right_to_left(g.letter);
    if (letter) word += g.letter > 0 && g.letter < 0x80 ? char(g.letter) : 'x';
    end = g.x1;
  }
  close();
  if (is_index(run)) return false;
  // A font of formulas may set its signs a little larger than the text: they are of another run.
  constexpr double kTall = 1.3;  // font sizes: brackets of a matrix that the run goes on behind
  bool tall = false;
  for (auto at = first_from(page_.glyphs, run.first);
       at != page_.glyphs.end() && at->order <= run.last; ++at) {
    signs += std::abs(at->base - run.base) < 0.1 * run.size &&
             (fonts_[size_t(at->font)].math || is_relation(at->letter));
    tall |= at->bottom - at->top > kTall * run.size;
  }
  return ordinary > 2 || (ordinary > 0 && letters >= 2 * signs && !tall && !beside_signs(run));
}

/// Where the number of the page begins, "7" or "7 / 17": what was written last, below all others or
/// at the foot with nothing beside it.
size_t GlyphLines::page_number() const {
  constexpr double kBelow = 0.9, kLevel = 0.5, kApart = 2, kNear = 3;  // font sizes
  size_t at = size();
  while (at > 0 && (is_digit(glyph(at - 1).letter) || glyph(at - 1).letter == '/')) --at;
  if (at == size()) return at;
  const PageGlyph& first = glyph(at);
  double lowest = 0, beside = 0;
  for (size_t i = 0; i < at; ++i) {
    lowest = std::max(lowest, glyph(i).base);
    if (glyph(i).base > first.base - kNear * first.size) beside = std::max(beside, glyph(i).x1);
  }
  const bool below = first.base > lowest + kBelow * first.size;
  const bool in_corner =
      first.base > lowest - kLevel * first.size && first.x0 > beside + kApart * first.size;
  return below || in_corner ? at : size();
}

/// What was written within a line of prose is of it, and the indices at its ends.
void GlyphLines::find_lines() {
  for (const GlyphRun& run : runs_)
    if (run.prose) prose_.push_back(&run);
  std::sort(prose_.begin(), prose_.end(),
            [](const GlyphRun* a, const GlyphRun* b) { return a->first < b->first; });
  for (size_t i = 0; i < page_number_; ++i) {
    const PageGlyph& g = glyph(i);
    auto line = std::find_if(prose_.begin(), prose_.end(), [&](const GlyphRun* run) {
      return g.order >= run->first && g.order <= run->last;
    });
    if (line == prose_.end())  // an index or an accent at one of its ends
      line = std::find_if(prose_.begin(), prose_.end(),
                          [&](const GlyphRun* run) { return holds(*run, g); });
    if (line != prose_.end()) lines_[i] = *line;
  }
  for (size_t i = 0; i < page_number_; ++i)  // an arrow stands over letters of its line
    if (const OverArrow arrow = over_arrow(page_.glyphs, i); arrow.end > 0 && !lines_[i])
      for (size_t k = i; k < arrow.letters; ++k) lines_[k] = lines_[arrow.letters];
}

bool GlyphLines::ends_paragraph(const GlyphRun& before, double x0, double x1, double pitch) const {
  constexpr double kLeading = 1.65, kFull = 1, kIndent = 3, kAside = 4, kColumn = 6;  // em
  const uint32_t last = glyph(before.glyphs.back()).letter;
  if (last == ':' || last == 0xFF1A) return false;  // a display follows
  const double em = before.size;
  double right = before.x1;  // of the column
  for (const GlyphRun* run : prose_)
    if (std::abs(run->x0 - before.x0) < kColumn * em) right = std::max(right, run->x1);
  const double middle = (before.x0 + right) / 2;
  return pitch > 0 && pitch < kLeading * em && before.x1 > right - kFull * em &&
         x0 - before.x0 < kIndent * em && (x0 + x1) / 2 < middle - kAside * em;
}

}  // namespace docspec

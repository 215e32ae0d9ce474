#include "drafts/formula/glyph_formulas.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/formula/formula_latex.h"
#include "drafts/formula/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

bool is_digit(uint32_t c) {
  return c >= '0' && c <= '9';
}

/// What the name of a font says of its letters.
struct FontUse {
  bool math, variables, mono;
};

/// Glyphs of one size on one line, next to each other.
struct GlyphRun {
  std::vector<size_t> glyphs;
  double x0 = 1e9, x1 = -1e9, base = 0, size = 0;
  int first = 0, last = 0;  // orders
  bool prose = false;
};

/// The first of glyphs or bars that was written at `order` or later.
template <class Drawn>
auto first_from(const std::vector<Drawn>& drawn, int order) {
  return std::lower_bound(drawn.begin(), drawn.end(), order,
                          [](const Drawn& one, int value) { return one.order < value; });
}

class GlyphFormulas {
 public:
  explicit GlyphFormulas(const PageGlyphs& page) : page_(page), of_prose_(page.glyphs.size()) {
    for (const std::string& font : page.fonts)
      fonts_.push_back({is_math_font(font), is_variables_font(font), font_style(font).mono});
  }

  std::vector<PageFormula> read() {
    find_runs();
    mark_prose();
    std::vector<PageFormula> formulas;
    for (const std::vector<size_t>& block : blocks())
      for (const std::vector<size_t>& part : split_at_numbers(block)) {
        if (!is_formula(part)) continue;
        std::vector<PageGlyph> glyphs;
        for (const size_t i : part) glyphs.push_back(glyph(i));
        const std::vector<PageRule> rules = rules_of(part);
        formulas.push_back(
            {box_of(part, rules), formula_latex(page_.fonts, glyphs, rules).value_or("")});
      }
    return formulas;
  }

 private:
  const PageGlyph& glyph(size_t i) const { return page_.glyphs[i]; }
  const FontUse& font(size_t i) const { return fonts_[size_t(glyph(i).font)]; }
  bool math(size_t i) const { return font(i).math; }

  void find_runs() {
    constexpr double kGap = 2.2;   // font sizes
    constexpr int kOrderGap = 60;  // indices between two letters of a line
    std::vector<size_t> sorted(page_.glyphs.size());
    for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
    const auto line = [&](size_t i) {
      return std::pair(std::lround(glyph(i).base * 2), std::lround(glyph(i).size * 4));
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
      return std::pair(line(a), glyph(a).x0) < std::pair(line(b), glyph(b).x0);
    });
    for (size_t k = 0; k < sorted.size(); ++k) {
      const PageGlyph& g = glyph(sorted[k]);
      const bool next = k > 0 && line(sorted[k]) == line(sorted[k - 1]) &&
                        g.x0 - runs_.back().x1 < kGap * g.size &&
                        std::abs(g.order - glyph(sorted[k - 1]).order) < kOrderGap;
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
  }

  /// Whether signs stand close to it: a word of a formula has them before or behind it.
  bool beside_signs(const GlyphRun& run) const {
    constexpr double kAbove = 1.6, kAside = 1.5;  // font sizes
    const auto close = [&](int order) {
      const auto at = first_from(page_.glyphs, order);
      return at != page_.glyphs.end() && at->order == order && fonts_[size_t(at->font)].math &&
             at->x0 < run.x1 + kAside * run.size && at->x1 > run.x0 - kAside * run.size &&
             at->bottom > run.base - kAbove * run.size && at->top < run.base + kAbove * run.size;
    };
    return close(run.first - 1) || close(run.last + 1);
  }

  /// Whether words of a language outweigh the signs.
  bool is_prose(const GlyphRun& run) const {
    constexpr double kWithin = 0.13;  // font sizes
    size_t ordinary = 0, letters = 0, signs = 0;
    std::string word;
    double end = 0;
    const auto close = [&] {
      if (word.size() >= 3 && !is_function_name(word) && !is_connecting_word(word)) {
        ++ordinary;
        letters += word.size();
      }
      word.clear();
    };
    for (const size_t i : run.glyphs) {
      const PageGlyph& g = glyph(i);
      const bool letter = !math(i) && is_latin_letter(g.letter);
      if (!letter || g.x0 - end > kWithin * g.size) close();
      if (letter) word += g.letter < 0x80 ? char(g.letter) : 'x';
      signs += math(i) || is_relation(g.letter);
      end = g.x1;
    }
    close();
    return ordinary > 2 || (ordinary > 0 && letters >= 2 * signs && !beside_signs(run));
  }

  /// Where the number of the page begins: the digits that were written last, below all others.
  size_t page_number() const {
    size_t at = page_.glyphs.size();
    while (at > 0 && is_digit(glyph(at - 1).letter)) --at;
    double lowest = 0;
    for (size_t i = 0; i < at; ++i) lowest = std::max(lowest, glyph(i).base);
    const bool below = at < page_.glyphs.size() && glyph(at).base > lowest + 0.9 * glyph(at).size;
    return below ? at : page_.glyphs.size();
  }

  /// What was written within a line of prose is of it, and the indices at its ends.
  void mark_prose() {
    for (const GlyphRun& run : runs_)
      if (run.prose) prose_.push_back(&run);
    std::sort(prose_.begin(), prose_.end(),
              [](const GlyphRun* a, const GlyphRun* b) { return a->first < b->first; });
    const size_t footer = page_number();
    for (size_t i = 0; i < page_.glyphs.size(); ++i) {
      const PageGlyph& g = glyph(i);
      of_prose_[i] =
          i >= footer || std::any_of(prose_.begin(), prose_.end(), [&](const GlyphRun* run) {
            constexpr int kNear = 40;  // glyphs
            if (g.order >= run->first && g.order <= run->last) return true;
            const bool at_end = g.order > run->first - kNear && g.order < run->last + kNear &&
                                g.x0 > run->x0 - run->size && g.x1 < run->x1 + 1.5 * run->size;
            const double middle = (g.top + g.bottom) / 2;
            return at_end && middle > run->base - run->size &&
                   middle < run->base + 0.5 * run->size &&
                   (g.size < 0.85 * run->size || g.bottom - g.top > run->size);
          });
    }
  }

  /// Runs of glyphs between lines of prose, parted where blank space is between them.
  std::vector<std::vector<size_t>> blocks() const {
    constexpr double kBlank = 1.0;  // font sizes
    std::vector<std::vector<size_t>> blocks;
    double top = 0, bottom = 0;
    bool open = false;
    for (size_t i = 0; i < page_.glyphs.size(); ++i) {
      const PageGlyph& g = glyph(i);
      if (of_prose_[i]) {
        open = false;
        continue;
      }
      if (open && (g.top - bottom > kBlank * g.size || top - g.bottom > kBlank * g.size))
        open = false;
      if (!open) {
        blocks.emplace_back();
        top = g.top;
        bottom = g.bottom;
      }
      open = true;
      blocks.back().push_back(i);
      top = std::min(top, g.top);
      bottom = std::max(bottom, g.bottom);
    }
    return blocks;
  }

  /// Where the number of an equation that begins at `at` ends; 0 = there is none.
  size_t number_end(const std::vector<size_t>& block, size_t at) const {
    constexpr double kApart = 1.2;  // font sizes
    if (glyph(block[at]).letter != '(' || math(block[at])) return 0;
    const PageGlyph& open = glyph(block[at]);
    std::string text;
    size_t end = at;
    while (end < block.size() && std::abs(glyph(block[end]).base - open.base) < 0.05 * open.size) {
      append_utf8(text, glyph(block[end]).letter);
      if (glyph(block[end++]).letter == ')') break;
    }
    if (!is_equation_number(text)) return 0;
    const double x0 = open.x0, x1 = glyph(block[end - 1]).x1;
    for (const size_t i : block) {
      const PageGlyph& g = glyph(i);
      const bool level = g.base > open.base - open.size && g.base < open.base + open.size;
      if (level && g.x1 > x0 - kApart * open.size && g.x0 < x1 + kApart * open.size &&
          (g.x1 <= x0 || g.x0 >= x1))
        return 0;
    }
    return end;
  }

  /// Rows with numbers of their own are formulas of their own.
  std::vector<std::vector<size_t>> split_at_numbers(const std::vector<size_t>& block) const {
    std::vector<std::pair<size_t, size_t>> numbers;
    double left = 1e9;
    for (const size_t i : block) left = std::min(left, glyph(i).x0);
    for (size_t at = 0; at < block.size(); ++at)
      if (const size_t end = number_end(block, at)) numbers.emplace_back(at, end);
    if (numbers.size() < 2) return {block};
    const bool leads = glyph(block[numbers[0].first]).x0 < left + 1;
    std::vector<std::vector<size_t>> parts;
    size_t from = 0;
    for (size_t k = 0; k < numbers.size(); ++k) {
      const size_t cut = !leads                   ? numbers[k].second
                         : k + 1 < numbers.size() ? numbers[k + 1].first
                                                  : block.size();
      parts.emplace_back(block.begin() + std::ptrdiff_t(from), block.begin() + std::ptrdiff_t(cut));
      from = cut;
    }
    if (from < block.size()) parts.emplace_back(block.begin() + std::ptrdiff_t(from), block.end());
    return parts;
  }

  bool is_formula(const std::vector<size_t>& block) const {
    size_t signs = 0, digits = 0, typed = 0;
    bool relation = false, large = false, tall = false;
    for (const size_t i : block) {
      const PageGlyph& g = glyph(i);
      relation |= is_relation(g.letter);
      large |= is_large_operator(g.letter) || g.letter == 0x221A;
      tall |= g.bottom - g.top > 1.3 * g.size;
      const bool sign = font(i).variables
                            ? !is_digit(g.letter) && g.letter != '.' && g.letter != ','
                            : is_math_letter(g.letter);
      signs += sign && g.letter != 0x2212;
      digits += is_digit(g.letter);
      typed += font(i).mono;
    }
    if (typed * 3 > block.size()) return false;  // code
    const bool seed = relation || large || (signs >= 3 && signs * 2 >= block.size()) ||
                      (signs >= 3 && !rules_of(block).empty());
    if (!seed || block.size() < 3 || signs == 0 || signs * 5 < block.size() - digits / 2)
      return false;
    return !is_item(block) && !ends_paragraph(block) && (tall || !is_grid(block));
  }

  /// "9: Set k = k + 1": a line of a listing, an item of a list.
  bool is_item(const std::vector<size_t>& block) const {
    size_t k = 0;
    while (k < block.size() && is_digit(glyph(block[k]).letter) && !math(block[k])) ++k;
    const uint32_t next = k < block.size() ? glyph(block[k]).letter : 0;
    return glyph(block[0]).letter == 0x2022 || glyph(block[0]).letter == 0x2013 ||
           (k > 0 && (next == ':' ||
                      (next == '.' && k + 1 < block.size() &&
                       glyph(block[k + 1]).x0 - glyph(block[k]).x1 > 0.2 * glyph(block[k]).size)));
  }

  /// Whether it is the last line of a paragraph: right under a line of prose and at its margin.
  bool ends_paragraph(const std::vector<size_t>& block) const {
    const PageGlyph* first = nullptr;  // on the line
    double x0 = 1e9;
    for (const size_t i : block) {
      const PageGlyph& g = glyph(i);
      x0 = std::min(x0, g.x0);
      if (g.bottom - g.top < g.size && (!first || g.size > 1.1 * first->size)) first = &g;
    }
    const GlyphRun* before = nullptr;
    for (const GlyphRun* run : prose_)
      if (run->last < glyph(block[0]).order) before = run;
    if (!before || !first) return false;
    const double pitch = first->base - before->base, em = before->size;
    return pitch > 0 && pitch < 1.4 * em && x0 - before->x0 < 0.25 * em &&
           before->x0 - x0 < 2.5 * em && first->size > 0.9 * em;
  }

  /// Whether it is a table without words: rows with several wide gaps.
  bool is_grid(const std::vector<size_t>& block) const {
    constexpr double kWide = 1.5;  // font sizes
    double size = 0;
    for (const size_t i : block) size = std::max(size, glyph(i).size);
    std::map<long, std::vector<size_t>> rows;
    for (const size_t i : block)
      if (glyph(i).size > 0.85 * size)
        rows[std::lround(glyph(i).base / (0.25 * size))].push_back(i);
    const auto is_blank = [&](double x0, double x1, double base) {
      return x1 - x0 > kWide * size && std::none_of(block.begin(), block.end(), [&](size_t i) {
               const double middle = (glyph(i).x0 + glyph(i).x1) / 2;
               return middle > x0 && middle < x1 && std::abs(glyph(i).base - base) < 1.5 * size;
             });
    };
    size_t gapped = 0;
    for (auto& [height, row] : rows) {
      std::sort(row.begin(), row.end(),
                [&](size_t a, size_t b) { return glyph(a).x0 < glyph(b).x0; });
      size_t gaps = 0;
      for (size_t k = 1; k < row.size(); ++k)
        gaps += is_blank(glyph(row[k - 1]).x1, glyph(row[k]).x0, glyph(row[k]).base);
      gapped += gaps >= 2;
    }
    return gapped >= 3;
  }

  /// The bars that were written within a block.
  std::vector<PageRule> rules_of(const std::vector<size_t>& block) const {
    return {first_from(page_.rules, glyph(block.front()).order - 1),
            first_from(page_.rules, glyph(block.back()).order)};
  }

  Box box_of(const std::vector<size_t>& block, const std::vector<PageRule>& rules) const {
    double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
    const auto add = [&](double left, double top, double right, double bottom) {
      x0 = std::min(x0, left);
      y0 = std::min(y0, top);
      x1 = std::max(x1, right);
      y1 = std::max(y1, bottom);
    };
    for (const size_t i : block) add(glyph(i).x0, glyph(i).top, glyph(i).x1, glyph(i).bottom);
    for (const PageRule& rule : rules) add(rule.x0, rule.y0, rule.x1, rule.y1);
    return {int(std::floor(x0)) - 1, int(std::floor(y0)), int(std::ceil(x1)) + 1,
            int(std::ceil(y1))};
  }

  const PageGlyphs& page_;
  std::vector<FontUse> fonts_;
  std::vector<GlyphRun> runs_;
  std::vector<const GlyphRun*> prose_;  // in the order of writing
  std::vector<bool> of_prose_;          // by glyph
};

}  // namespace

std::vector<PageFormula> read_formulas(const PageGlyphs& page) {
  return GlyphFormulas(page).read();
}

}  // namespace docspec

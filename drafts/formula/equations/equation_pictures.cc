#include "drafts/formula/equations/equation_pictures.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/formula/equations/equation_order.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// What surrounds glyphs, in pixels, and their largest font size.
struct Surround {
  double x0 = 1e9, x1 = -1e9, top = 1e9, bottom = -1e9, size = 0;

  double middle() const { return (top + bottom) / 2; }

  template <class Inked>
  void add(const Inked& more) {
    x0 = std::min(x0, more.x0);
    x1 = std::max(x1, more.x1);
    top = std::min(top, more.top);
    bottom = std::max(bottom, more.bottom);
    size = std::max(size, more.size);
  }
};

/// Glyphs [from, to) of the page's content: a picture, or letters of one font in a line.
struct DrawnStretch : Surround {
  size_t from = 0, to = 0;
  bool text = false, picture = false;
};

/// Whether a glyph goes on with the line of the one before it.
bool goes_on(const PageGlyph& before, const PageGlyph& next) {
  constexpr double kLevel = 0.05, kBack = 0.3, kGap = 1.5, kSame = 0.06;  // font sizes
  const double gap = next.x0 - before.x1;
  return std::abs(before.base - next.base) < kLevel * before.size &&
         std::abs(before.size - next.size) < kSame * before.size && gap > -kBack * before.size &&
         gap < kGap * before.size;
}

bool is_punctuation(uint32_t letter) {
  return (letter >= 0x3000 && letter <= 0x303F) || (letter >= 0xFF00 && letter <= 0xFF0F) ||
         (letter >= 0xFF1A && letter <= 0xFF20);
}

class Equations {
 public:
  explicit Equations(PageGlyphs& page) : page_(page) {}

  void order() {
    if (page_.glyphs.empty()) return;
    std::vector<double> sizes;
    for (const PageGlyph& g : page_.glyphs) sizes.push_back(g.size);
    em_ = median(std::move(sizes));
    find_stretches();
    if (stretches_.size() > kMostStretches || page_.rules.size() > kMostRules) return;
    for (size_t i = 0; i < stretches_.size(); ++i) join(i);
    std::erase_if(formulas_, [](const Formula& formula) {
      return formula.to - formula.from > kMostOfFormula;
    });
    part_lines();
    for (Formula& formula : formulas_) {
      take_first(formula);
      leave_number(formula);
    }
    std::erase_if(formulas_, [&](const Formula& formula) {
      if (stretches_[formula.from].picture) return false;
      return formula.to == formula.from + 1 || is_crossed(formula) || is_scattered(formula) ||
             is_wordy(formula);
    });
    write();
  }

 private:
  // A page has hundreds; each formula is compared with all bars, its parts with each other.
  static constexpr size_t kMostStretches = 8'000, kMostRules = 5'000, kMostOfFormula = 500;

  /// Stretches [from, to), and what surrounds them.
  struct Formula : Surround {
    size_t from = 0, to = 0;
  };

  const PageGlyph& glyph(size_t i) const { return page_.glyphs[i]; }
  bool of_text_font(const PageGlyph& g) const {
    const std::string& font = page_.fonts[size_t(g.font)];
    return !is_math_font(font) && !is_variables_font(font);
  }

  void find_stretches() {
    size_t picture = 0;
    for (size_t i = 0; i < page_.glyphs.size(); ++i) {
      const PageGlyph& g = glyph(i);
      while (picture < page_.pictures.size() && page_.pictures[picture].last <= g.order) ++picture;
      const bool within =
          picture < page_.pictures.size() && page_.pictures[picture].first <= g.order;
      DrawnStretch* last = stretches_.empty() ? nullptr : &stretches_.back();
      const bool same = last && last->picture == within &&
                        (within ? glyph(last->from).order >= page_.pictures[picture].first
                                : glyph(i - 1).font == g.font && goes_on(glyph(i - 1), g));
      if (!same) {
        stretches_.emplace_back();
        last = &stretches_.back();
        last->from = i;
        last->picture = within;
      }
      last->to = i + 1;
      last->add(g);
    }
    for (size_t i = 0; i < stretches_.size(); ++i) {
      DrawnStretch& stretch = stretches_[i];
      const bool follows = i > 0 && stretches_[i - 1].text && of_text_font(glyph(stretch.from)) &&
                           goes_on(glyph(stretch.from - 1), glyph(stretch.from)) &&
                           is_dense(stretch);
      stretch.text = !stretch.picture && (follows || is_text(stretch));
    }
  }

  /// Whether its letters stand next to each other: those of an editor leave room for others.
  bool is_dense(const DrawnStretch& stretch) const {
    constexpr double kGap = 0.5;  // font sizes
    for (size_t i = stretch.from + 1; i < stretch.to; ++i)
      if (glyph(i).x0 - glyph(i - 1).x1 > kGap * glyph(i).size) return false;
    return true;
  }

  /// Whether it has a word that no formula has, or a letter of Chinese.
  bool is_text(const DrawnStretch& stretch) const {
    constexpr size_t kWord = 4;      // letters
    constexpr double kWithin = 0.2;  // font sizes
    std::string word;
    const auto is_word = [&] { return word.size() >= kWord && function_names(word).empty(); };
    for (size_t i = stretch.from; i < stretch.to; ++i) {
      const PageGlyph& g = glyph(i);
      if (is_cjk(g.letter) || is_punctuation(g.letter)) return true;
      const bool letter = is_ascii_letter(g.letter) && of_text_font(g);
      if (!letter || (i > stretch.from && g.x0 - glyph(i - 1).x1 > kWithin * g.size)) {
        if (is_word()) return true;
        word.clear();
      }
      if (letter) word += char(g.letter);
    }
    return is_word();
  }

  /// Adds a stretch to the formula before it, if it stands as high and not far off; words only
  /// where the editor went back to them.
  void join(size_t at) {
    constexpr double kAside = 15, kAbove = 15, kBelow = 1.1, kBack = 0.5,
                     kWords = 0.6;  // font sizes
    const DrawnStretch& stretch = stretches_[at];
    Formula* last = formulas_.empty() ? nullptr : &formulas_.back();
    const bool near =
        open_ && last && !stretches_[last->from].picture && !stretch.picture &&
        stretch.x0 < last->x1 + kAside * em_ && stretch.x1 > last->x0 - kAside * em_ &&
        stretch.top < last->bottom + kBelow * em_ && stretch.bottom > last->top - kAbove * em_;
    if (stretch.text && !(near && stretch.x0 < last->x1 - kBack * em_ &&
                          stretch.middle() > last->top - kWords * em_ &&
                          stretch.middle() < last->bottom + kWords * em_)) {
      open_ = false;
      return;
    }
    if (near) {
      last->to = at + 1;
      last->add(stretch);
    } else {
      formulas_.emplace_back();
      formulas_.back().add(stretch);
      formulas_.back().from = at;
      formulas_.back().to = at + 1;
    }
    open_ = true;
  }

  Formula formula_of(size_t from, size_t to) const {
    Formula formula;
    formula.from = from;
    formula.to = to;
    for (size_t i = from; i < to; ++i) formula.add(stretches_[i]);
    return formula;
  }

  /// Whether a bar of the page lies between two parts of a formula.
  bool have_bar(const Surround& above, const Surround& below) const {
    return std::any_of(page_.rules.begin(), page_.rules.end(), [&](const PageRule& rule) {
      return rule.y0 > above.bottom - 0.3 * em_ && rule.y1 < below.top + 0.3 * em_ &&
             rule.x0 < std::min(above.x1, below.x1) && rule.x1 > std::max(above.x0, below.x0);
    });
  }

  /// Formulas that stand below each other with nothing between them, each drawn as one.
  void part_lines() {
    constexpr double kApart = 0.3;  // font sizes
    std::vector<Formula> parted;
    for (const Formula& whole : formulas_) {
      size_t from = whole.from;
      for (size_t at = from + 1; at < whole.to; ++at) {
        const Formula first = formula_of(from, at), rest = formula_of(at, whole.to);
        if (rest.top - first.bottom < kApart * em_ || have_bar(first, rest)) continue;
        parted.push_back(first);
        from = at;
      }
      parted.push_back(formula_of(from, whole.to));
    }
    formulas_ = std::move(parted);
  }

  /// The editor may have begun with the words of a formula.
  void take_first(Formula& formula) const {
    while (formula.from > 0) {
      const DrawnStretch& before = stretches_[formula.from - 1];
      const double x = (before.x0 + before.x1) / 2;
      if (!before.text || x < formula.x0 || x > formula.x1 || before.middle() < formula.top ||
          before.middle() > formula.bottom)
        return;
      formula.add(before);
      --formula.from;
    }
  }

  /// The number of an item that begins with a formula is none of its signs: "1. ∫ ...".
  void leave_number(Formula& formula) const {
    const DrawnStretch& first = stretches_[formula.from];
    if (formula.to == formula.from + 1 || first.picture || !of_text_font(glyph(first.from))) return;
    const uint32_t last = glyph(first.to - 1).letter;
    const bool digits = std::all_of(page_.glyphs.begin() + std::ptrdiff_t(first.from),
                                    page_.glyphs.begin() + std::ptrdiff_t(first.to - 1),
                                    [](const PageGlyph& g) { return is_digit(g.letter); });
    if (!digits || first.to < first.from + 2 || (last != '.' && last != ')' && last != 0x3001))
      return;
    const Formula rest = formula_of(formula.from + 1, formula.to);
    if (rest.x0 > first.x1) formula = rest;
  }

  /// Whether its parts stand far from each other with no relation between them, as the labels of a
  /// figure do.
  bool is_scattered(const Formula& formula) const {
    constexpr double kFar = 5;  // font sizes
    std::vector<const DrawnStretch*> sorted;
    for (size_t i = formula.from; i < formula.to; ++i) {
      const DrawnStretch& stretch = stretches_[i];
      for (size_t g = stretch.from; g < stretch.to; ++g)
        if (is_relation(glyph(g).letter)) return false;
      sorted.push_back(&stretch);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const DrawnStretch* a, const DrawnStretch* b) { return a->x0 < b->x0; });
    double end = sorted.front()->x1;
    for (const DrawnStretch* stretch : sorted) {
      if (stretch->x0 - end > kFar * em_) return true;
      end = std::max(end, stretch->x1);
    }
    return false;
  }

  /// Whether most of it are letters of text: it was typed, in several fonts.
  bool is_wordy(const Formula& formula) const {
    size_t letters = 0, all = 0;
    for (size_t i = formula.from; i < formula.to; ++i) {
      std::string word;  // names of functions are none
      for (size_t g = stretches_[i].from; g < stretches_[i].to; ++g, ++all) {
        const uint32_t letter = glyph(g).letter;
        letters += is_cjk(letter);
        if (is_ascii_letter(letter) && of_text_font(glyph(g))) word += char(letter);
      }
      if (function_names(word).empty()) letters += word.size();
    }
    return letters * 2 > all;
  }

  /// Whether other letters stand within a formula: then it is none, or more than one.
  bool is_crossed(const Formula& formula) const {
    const size_t from = stretches_[formula.from].from, to = stretches_[formula.to - 1].to;
    for (size_t i = 0; i < page_.glyphs.size(); ++i) {
      const PageGlyph& g = glyph(i);
      const double x = (g.x0 + g.x1) / 2, y = (g.top + g.bottom) / 2;
      if ((i < from || i >= to) && x > formula.x0 && x < formula.x1 && y > formula.top &&
          y < formula.bottom)
        return true;
    }
    return false;
  }

  /// Whether a bar lies within a formula or a little beyond it.
  static bool holds(const Surround& formula, const PageRule& rule) {
    constexpr double kBeyond = 0.8, kAbove = 0.4, kThick = 0.3;  // font sizes
    return rule.x0 > formula.x0 - kBeyond * formula.size &&
           rule.x1 < formula.x1 + kBeyond * formula.size &&
           rule.y0 > formula.top - kAbove * formula.size &&
           rule.y1 < formula.bottom + kAbove * formula.size &&
           rule.y1 - rule.y0 < kThick * formula.size;
  }

  /// Whether the signs were written from left to right already: no editor drew them.
  static bool is_in_order(const std::vector<PageGlyph>& drawn, const WrittenFormula& written) {
    return std::equal(drawn.begin(), drawn.end(), written.glyphs.begin(), written.glyphs.end(),
                      [](const PageGlyph& a, const PageGlyph& b) {
                        return a.x0 == b.x0 && a.base == b.base && a.letter == b.letter;
                      });
  }

  /// Writes the page again, with the formulas in their order.
  void write() {
    std::vector<Formula> drawn;
    std::vector<WrittenFormula> written;
    for (const Formula& formula : formulas_) {
      const auto first = page_.glyphs.begin();
      const std::vector<PageGlyph> own(first + std::ptrdiff_t(stretches_[formula.from].from),
                                       first + std::ptrdiff_t(stretches_[formula.to - 1].to));
      const auto is_own = [&](const PageRule& rule) { return holds(formula, rule); };
      std::vector<PageRule> bars;
      std::copy_if(page_.rules.begin(), page_.rules.end(), std::back_inserter(bars), is_own);
      WrittenFormula made = in_writing_order(own, std::move(bars));
      if (!stretches_[formula.from].picture && is_in_order(own, made)) continue;
      std::erase_if(page_.rules, is_own);  // they are of no other formula
      drawn.push_back(formula);
      written.push_back(std::move(made));
    }
    formulas_ = std::move(drawn);
    std::vector<PageGlyph> glyphs;
    std::vector<PageRule> rules;
    std::vector<EquationPicture> formulas;
    size_t rule = 0, formula = 0;
    int order = 0;
    const auto add_rules = [&](int before) {
      for (; rule < page_.rules.size() && page_.rules[rule].order < before; ++rule) {
        rules.push_back(page_.rules[rule]);
        rules.back().order = order++;
      }
    };
    for (size_t i = 0; i < page_.glyphs.size(); ++i) {
      if (formula < formulas_.size() && i == stretches_[formulas_[formula].from].from) {
        const int first = order;
        for (PageGlyph& glyph : written[formula].glyphs) {
          order = std::max(order, first + glyph.order + 1);
          glyph.order += first;
          glyphs.push_back(glyph);
        }
        for (PageRule& bar : written[formula].rules) {
          order = std::max(order, first + bar.order + 1);
          bar.order += first;
          rules.push_back(bar);
        }
        formulas.push_back({first, order, written[formula].base, written[formula].size});
        i = stretches_[formulas_[formula++].to - 1].to - 1;
        continue;
      }
      add_rules(page_.glyphs[i].order);
      glyphs.push_back(page_.glyphs[i]);
      glyphs.back().order = order++;
    }
    add_rules(1 << 30);
    page_.glyphs = std::move(glyphs);
    page_.rules = std::move(rules);
    page_.pictures = std::move(formulas);
  }

  PageGlyphs& page_;
  std::vector<DrawnStretch> stretches_;
  std::vector<Formula> formulas_;
  double em_ = 0;      // the size of most letters, in pixels
  bool open_ = false;  // whether the last stretch was of a formula
};

}  // namespace

bool order_equations(PageGlyphs& page) {
  if (page.equations) Equations(page).order();
  return !page.pictures.empty() && page.pictures.back().size > 0;
}

}  // namespace docspec

#include "drafts/formula/formula_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/input/letters/plain_letters.h"
#include "core/input/letters/right_to_left.h"
#include "core/text/unicode.h"
#include "drafts/formula/formula_bars.h"

namespace docspec {
namespace {

constexpr int kNone = -1;

/// Glyphs of a word next to each other that are of one formula, or of none.
struct Segment {
  int formula = kNone;
  std::vector<size_t> glyphs;
};

bool holds_turned_letters(const std::string& text) {
  for (size_t at = 0; at < text.size();)
    if (is_right_to_left(next_code_point(text, at))) return true;
  return false;
}

class FormulaWords {
 public:
  FormulaWords(const std::vector<Word>& words, const PageGlyphs& page,
               const std::vector<InlineFormula>& formulas)
      : words_(words),
        page_(page),
        formulas_(formulas),
        of_(page.glyphs.size(), kNone),
        segments_(words.size()),
        line_words_(formulas.size()),
        near_words_(formulas.size()),
        all_words_(formulas.size()),
        sound_(formulas.size(), true) {
    for (size_t f = 0; f < formulas.size(); ++f)
      for (const size_t i : formulas[f].glyphs) of_[i] = int(f);
    for (size_t i = 0; i < page.glyphs.size(); ++i) rows_[row(middle(i))].push_back(i);
    for (const InlineFormula& formula : formulas) spans_.push_back(span_of(formula));
  }

  std::vector<Word> merge() {
    for (size_t w = 0; w < words_.size(); ++w) segments_[w] = segments_of(words_[w]);
    for (size_t w = 0; w < words_.size(); ++w) check(w);
    for (size_t f = 0; f < formulas_.size(); ++f) {
      if (line_words_[f].empty()) line_words_[f] = std::move(near_words_[f]);  // a fraction alone
      if (line_words_[f].empty()) line_words_[f] = std::move(all_words_[f]);   // of two rows
    }
    for (size_t f = 0; f < formulas_.size(); ++f)
      if (line_words_[f].empty()) sound_[f] = false;
    std::vector<Word> out;
    for (size_t w = 0; w < words_.size(); ++w) {
      const bool touched = std::any_of(segments_[w].begin(), segments_[w].end(), [&](auto& part) {
        return part.formula != kNone && sound_[size_t(part.formula)];
      });
      if (!touched) {
        if (!within_formula(words_[w]))
          out.push_back(words_[w]);
        else if (!out.empty() &&
                 w + 1 < words_.size())  // there is no blank at the sign's own place
          out.back().space_after |=
              words_[w + 1].box.x0 - out.back().box.x1 > kBlank * out.back().box.height();
        continue;
      }
      for (size_t s = 0; s < segments_[w].size(); ++s) {
        const int f = segments_[w][s].formula;
        const bool ends = s + 1 == segments_[w].size();
        if (f == kNone || !sound_[size_t(f)]) {
          out.push_back(part_of(words_[w], segments_[w][s]));
          if (!ends) out.back().space_after = false;
        } else if (line_words_[size_t(f)].front() == w) {
          out.push_back(formula_word(size_t(f)));
        } else if (!out.empty() && ends_line_above(words_[w], out.back(), formulas_[size_t(f)])) {
          out.back().box.x1 = words_[w].box.x1;  // else its line would seem to end a paragraph
        }
      }
    }
    return out;
  }

 private:
  static constexpr double kBlank = 0.12;  // heights of a word
  static constexpr int kRow = 16;         // pixels
  static int row(double y) { return int(std::floor(y / kRow)); }
  double middle(size_t i) const { return (page_.glyphs[i].top + page_.glyphs[i].bottom) / 2; }

  static bool near_line(const Word& word, const InlineFormula& formula) {
    return word.box.y0 < formula.base && word.box.y1 > formula.base - 0.3 * formula.size;
  }
  /// Whether a word stands on the line of a formula, not above or below one of its bars.
  static bool on_line(const Word& word, const InlineFormula& formula) {
    constexpr double kHighest = 0.85, kLowest = 0.3;  // font sizes, of the word's middle
    const double middle = (word.box.y0 + word.box.y1) / 2.0;
    return near_line(word, formula) && middle > formula.base - kHighest * formula.size &&
           middle < formula.base + kLowest * formula.size;
  }

  /// Whether a word holds the first part of a formula that ends on the next line, right behind
  /// `last`.
  static bool ends_line_above(const Word& word, const Word& last, const InlineFormula& formula) {
    return word.box.y1 < formula.base - 0.6 * formula.size && word.box.x1 > last.box.x1 &&
           word.box.x0 - last.box.x1 < formula.size && word.box.y0 < last.box.y1 &&
           last.box.y0 < word.box.y1;
  }

  /// The glyphs whose middles are in a word's box, made higher by `slack` at its top and foot.
  std::vector<size_t> glyphs_in(const Word& word, double slack) const {
    std::vector<size_t> own;
    for (int y = row(word.box.y0 - slack); y <= row(word.box.y1 + slack); ++y) {
      const auto found = rows_.find(y);
      if (found == rows_.end()) continue;
      for (const size_t i : found->second) {
        const PageGlyph& g = page_.glyphs[i];
        const double x = (g.x0 + g.x1) / 2;
        if (x >= word.box.x0 && x <= word.box.x1 && middle(i) >= word.box.y0 - slack &&
            middle(i) <= word.box.y1 + slack)
          own.push_back(i);
      }
    }
    return own;
  }

  std::vector<size_t> glyphs_in(const Word& word) const {
    constexpr double kTall = 1.3, kSlack = 0.15;
    const std::vector<size_t> within = glyphs_in(word, 0);
    double size = 0;
    for (const size_t i : within) size = std::max(size, page_.glyphs[i].size);
    // A box that is much higher than its letters reaches into the lines above and below as it is.
    if (size > 0 && word.box.height() > kTall * size) return within;
    return glyphs_in(word, kSlack * word.box.height());
  }

  /// The glyphs that a word holds, from left to right. Empty for words that touch no formula.
  std::vector<Segment> segments_of(const Word& word) const {
    std::vector<size_t> own = glyphs_in(word);
    const bool touches =
        std::any_of(own.begin(), own.end(), [&](size_t i) { return of_[i] != kNone; });
    std::vector<Segment> segments;
    if (!touches || word.quarter_turns != 0) return segments;
    std::sort(own.begin(), own.end(), [&](size_t a, size_t b) {
      return std::pair(page_.glyphs[a].x0, a) < std::pair(page_.glyphs[b].x0, b);
    });
    for (const size_t i : own) {
      if (segments.empty() || segments.back().formula != of_[i]) segments.push_back({of_[i], {}});
      segments.back().glyphs.push_back(i);
    }
    return segments;
  }

  /// Whether a word stands within a formula and holds no glyph, or is one of its roots and tall
  /// brackets, whose box is not at its ink.
  bool within_formula(const Word& word) const {
    constexpr double kNear = 1.2, kFar = 3.5;  // font sizes
    if (word.formula) return false;
    const double x = (word.box.x0 + word.box.x1) / 2.0, y = (word.box.y0 + word.box.y1) / 2.0;
    for (size_t f = 0; f < formulas_.size(); ++f) {
      const double off = std::abs(y - formulas_[f].base) / formulas_[f].size;
      if (!sound_[f] || off > kFar) continue;
      if (is_tall_sign(word, formulas_[f])) return true;
      if (off < kNear && x > spans_[f].first && x < spans_[f].second)
        return glyphs_in(word).empty();
    }
    return false;
  }

  /// Whether a word is a sign that a formula has right there, higher than a line.
  bool is_tall_sign(const Word& word, const InlineFormula& formula) const {
    constexpr double kTall = 1.2, kAside = 0.3;  // font sizes
    if (count_code_points(word.text) != 1) return false;
    const uint32_t letter = first_code_point(word.text);
    return std::any_of(formula.glyphs.begin(), formula.glyphs.end(), [&](size_t i) {
      const PageGlyph& g = page_.glyphs[i];
      return g.letter == letter && g.bottom - g.top > kTall * formula.size &&
             std::abs(word.box.x0 - g.x0) < kAside * formula.size;
    });
  }

  std::string text_of(const Segment& segment) const {
    std::vector<uint32_t> letters;
    for (const size_t i : segment.glyphs) letters.push_back(page_.glyphs[i].letter);
    std::string text;
    for (const uint32_t letter : plain_letters(letters)) append_utf8(text, letter);
    return logical_order(text);
  }

  /// Gives up formulas that a word holds twice, or beside letters that its text does not show.
  void check(size_t w) {
    const std::vector<Segment>& parts = segments_[w];
    for (size_t s = 0; s < parts.size(); ++s) {
      const int f = parts[s].formula;
      if (f != kNone) {
        if (on_line(words_[w], formulas_[size_t(f)])) line_words_[size_t(f)].push_back(w);
        if (near_line(words_[w], formulas_[size_t(f)])) near_words_[size_t(f)].push_back(w);
        all_words_[size_t(f)].push_back(w);
        for (size_t k = 0; k < s; ++k)
          if (parts[k].formula == f) sound_[size_t(f)] = false;
        continue;
      }
      const std::string text = text_of(parts[s]);
      const std::string& all = words_[w].text;
      const bool turned = holds_turned_letters(all);  // its ends are not at its sides
      const bool shown = (turned || s > 0 || all.starts_with(text)) &&
                         (turned || s + 1 < parts.size() || all.ends_with(text)) &&
                         all.find(text) != all.npos;
      if (shown) continue;
      for (const size_t near : {s - 1, s + 1})
        if (near < parts.size()) sound_[size_t(parts[near].formula)] = false;
    }
  }

  /// From side to side on its line, the last of two, with the tall signs that are level with it.
  std::pair<double, double> span_of(const InlineFormula& formula) const {
    constexpr double kAbove = 0.7, kBelow = 0.2;  // font sizes
    double x0 = 1e9, x1 = -1e9;
    for (const size_t i : formula.glyphs) {
      const PageGlyph& g = page_.glyphs[i];
      const bool level = g.bottom > formula.base - kAbove * formula.size &&
                         g.top < formula.base + kBelow * formula.size;
      if (!level && std::abs(g.base - formula.base) > formula.size) continue;
      x0 = std::min(x0, g.x0);
      x1 = std::max(x1, g.x1);
    }
    return {x0, x1};
  }

  Word part_of(const Word& word, const Segment& segment) const {
    Word part = word;
    part.text = text_of(segment);
    part.box.x0 = int(std::floor(page_.glyphs[segment.glyphs.front()].x0));
    part.box.x1 = int(std::ceil(page_.glyphs[segment.glyphs.back()].x1));
    return part;
  }

  Word formula_word(size_t f) const {
    constexpr double kAbove = 0.7, kBelow = 0.2, kWhite = 0.15, kLarge = 1.4;  // font sizes
    const InlineFormula& formula = formulas_[f];
    const auto is_large = [&](size_t w) {  // a sign of a larger font than the letters beside it
      return words_[w].box.height() > kLarge * formula.size;
    };
    const auto like = std::find_if_not(line_words_[f].begin(), line_words_[f].end(), is_large);
    Word word = words_[like == line_words_[f].end() ? line_words_[f].front() : *like];
    word.text = "$" + formula.latex + "$";
    word.formula = true;
    word.heavy = false;
    const auto [x0, x1] = spans_[f];
    word.box = {int(std::floor(x0)), int(std::floor(formula.base - kAbove * formula.size)),
                int(std::ceil(x1)), int(std::ceil(formula.base + kBelow * formula.size))};
    for (const size_t w : line_words_[f]) {
      const Word& own = words_[w];
      if (own.font_size_pt < word.font_size_pt || is_large(w) || !near_line(own, formula)) continue;
      word.font = own.font;
      word.font_size_pt = own.font_size_pt;
      word.box.y0 = own.box.y0;
      word.box.y1 = own.box.y1;
    }
    const size_t next = formula.glyphs.back() + 1;
    word.space_after =
        next < page_.glyphs.size() && page_.glyphs[next].x0 - x1 > kWhite * formula.size;
    return word;
  }

  const std::vector<Word>& words_;
  const PageGlyphs& page_;
  const std::vector<InlineFormula>& formulas_;
  std::vector<int> of_;                           // formula of a glyph
  std::map<int, std::vector<size_t>> rows_;       // glyphs by the height of their middles
  std::vector<std::vector<Segment>> segments_;    // by word
  std::vector<std::pair<double, double>> spans_;  // of the formulas
  std::vector<std::vector<size_t>> line_words_;   // that touch a formula, on its line
  std::vector<std::vector<size_t>> near_words_;   // and a little off it, too
  std::vector<std::vector<size_t>> all_words_;    // that touch it at all
  std::vector<bool> sound_;
};

}  // namespace

std::vector<Word> words_with_formulas(const std::vector<Word>& words, const PageGlyphs& page,
                                      const std::vector<InlineFormula>& formulas) {
  return formulas.empty() ? words : FormulaWords(words, page, formulas).merge();
}

std::vector<Box> ink_of(const std::vector<InlineFormula>& formulas, const PageGlyphs& page,
                        std::span<const Box> areas) {
  constexpr double kSlack = 0.1;  // font sizes: a glyph's box is known roughly
  std::vector<Box> boxes;
  for (const InlineFormula& formula : formulas)
    for (const size_t i : formula.glyphs) {
      const PageGlyph& g = page.glyphs[i];
      const double slack = kSlack * g.size;
      if (is_within(g, areas))
        boxes.push_back({int(std::floor(g.x0 - slack)), int(std::floor(g.top - slack)),
                         int(std::ceil(g.x1 + slack)), int(std::ceil(g.bottom + slack))});
    }
  return boxes;
}

}  // namespace docspec

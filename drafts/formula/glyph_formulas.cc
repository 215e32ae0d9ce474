#include "drafts/formula/glyph_formulas.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/formula/block_tables.h"
#include "drafts/formula/formula_bars.h"
#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

bool is_bracket_piece(uint32_t letter) {
  return letter >= 0x239B && letter <= 0x23AD;
}

class GlyphFormulas {
 public:
  explicit GlyphFormulas(const GlyphLines& lines) : lines_(lines) {}

  std::vector<PageFormula> read(std::span<const Box> tables) const {
    if (lines_.page().equations) return pictures();
    std::vector<PageFormula> formulas;
    for (const std::vector<size_t>& block : blocks(tables))
      for (const std::vector<size_t>& part : split_at_numbers(without_text_line(block))) {
        if (!is_formula(part)) continue;
        std::vector<PageGlyph> glyphs;
        for (const size_t i : part) glyphs.push_back(glyph(i));
        const std::vector<PageRule> rules = rules_of(part);
        const auto latex = formula_latex(lines_.latex_fonts(), glyphs, rules);
        if (latex || !lines_.whole_formulas())
          formulas.push_back({box_of(part, rules), latex.value_or("")});
      }
    return formulas;
  }

 private:
  const PageGlyph& glyph(size_t i) const { return lines_.glyph(i); }
  bool math(size_t i) const { return lines_.math(i); }

  /// The formulas of Word's equation editors that stand alone in their lines.
  std::vector<PageFormula> pictures() const {
    std::vector<PageFormula> formulas;
    for (const EquationPicture& picture : lines_.page().pictures) {
      std::vector<size_t> own = lines_.glyphs(picture.first, picture.last);
      const std::vector<size_t> level = beside(own);
      if (!is_formula(own) || !is_number_of(own, level)) continue;
      own.insert(own.end(), level.begin(), level.end());
      std::vector<PageGlyph> glyphs;
      for (const size_t i : own) glyphs.push_back(glyph(i));
      const std::vector<PageRule> rules = lines_.rules(picture.first, picture.last);
      const auto latex = formula_latex(lines_.latex_fonts(), glyphs, rules);
      formulas.push_back({box_of(own, rules), latex.value_or("")});
    }
    return formulas;
  }

  /// The glyphs that stand beside those of a block.
  std::vector<size_t> beside(const std::vector<size_t>& block) const {
    const Box box = box_of(block, {});
    std::vector<size_t> level;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const double middle = (glyph(i).top + glyph(i).bottom) / 2;
      if ((i < block.front() || i > block.back()) && middle > box.y0 && middle < box.y1)
        level.push_back(i);
    }
    return level;
  }

  /// Whether glyphs beside a block are no more than the equation's number, at its right.
  bool is_number_of(const std::vector<size_t>& block, const std::vector<size_t>& level) const {
    if (level.empty()) return true;
    const int right = box_of(block, {}).x1;
    std::string text;
    for (const size_t i : level) {
      if (glyph(i).x0 < right + glyph(i).size) return false;
      append_utf8(text, glyph(i).letter);
    }
    return is_equation_number(text);
  }

  /// Runs of glyphs between lines of prose and outside of tables, parted where blank space is
  /// between them.
  std::vector<std::vector<size_t>> blocks(std::span<const Box> tables) const {
    constexpr double kBlank = 1.0;  // font sizes
    std::vector<std::vector<size_t>> blocks;
    double top = 0, bottom = 0;
    bool open = false;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const PageGlyph& g = glyph(i);
      if (lines_.line_of(i) || lines_.of_page_number(i) || is_within(g, tables)) {
        open = false;
        continue;
      }
      // Word writes the pieces of a tall bracket from its foot upwards.
      const bool piece = open && lines_.whole_formulas() && is_bracket_piece(g.letter) &&
                         g.x0 > glyph(blocks.back().back()).x1;
      if (open && !piece && !over_bar(g, top, bottom) &&
          (g.top - bottom > kBlank * g.size || top - g.bottom > kBlank * g.size))
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

  /// Whether a glyph is of what stands over a bar that is level with a block and is written next:
  /// the limit of a sum may be far above the line.
  bool over_bar(const PageGlyph& g, double top, double bottom) const {
    constexpr int kNext = 80;  // glyphs
    const std::vector<PageRule> bars = lines_.rules(g.order, g.order + kNext);
    return std::any_of(bars.begin(), bars.end(), [&](const PageRule& bar) {
      return bar.y0 > top && bar.y1 < bottom && g.bottom < bar.y0 && g.x0 >= bar.x0 - 1 &&
             g.x1 <= bar.x1 + 1;
    });
  }

  /// A block less its first row where that ends the paragraph above: "then", "x is".
  std::vector<size_t> without_text_line(const std::vector<size_t>& block) const {
    constexpr double kLevel = 0.35, kNext = 0.9, kIndent = 2;  // font sizes
    const PageGlyph& first = glyph(block[0]);
    size_t end = 1;
    while (end < block.size() &&
           std::abs(glyph(block[end]).base - first.base) < kLevel * first.size)
      ++end;
    if (end == block.size() || glyph(block[end]).base - first.base < kNext * first.size)
      return block;
    const auto rest = block.begin() + std::ptrdiff_t(end);
    const bool indented = std::all_of(rest, block.end(), [&](size_t i) {
      return glyph(i).x0 > first.x0 + kIndent * first.size;  // else it is text as well
    });
    return indented && is_text_line({block.begin(), rest}) ? std::vector(rest, block.end()) : block;
  }

  /// Where the number of an equation that begins at `at` ends; 0 = there is none.
  size_t number_end(const std::vector<size_t>& block, size_t at) const {
    constexpr double kApart = 1.2;  // font sizes
    const PageGlyph& open = glyph(block[at]);
    const bool round = open.letter == '(';
    if ((!round && open.letter != '[') || math(block[at])) return 0;
    std::string text;
    size_t end = at;
    while (end < block.size() && std::abs(glyph(block[end]).base - open.base) < 0.05 * open.size) {
      append_utf8(text, glyph(block[end]).letter);
      if (glyph(block[end++]).letter == (round ? U')' : U']')) break;
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

  bool has_number(const std::vector<size_t>& block) const {
    for (size_t at = 0; at < block.size(); ++at)
      if (number_end(block, at) != 0) return true;
    return false;
  }

  bool is_formula(const std::vector<size_t>& block) const {
    constexpr double kSmaller = 0.8;  // of the largest font
    size_t signs = 0, digits = 0, typed = 0;
    size_t words = 0;  // letters of other scripts, and of words that are indices
    double largest = 0;
    for (const size_t i : block) largest = std::max(largest, glyph(i).size);
    bool relation = false, large = false, tall = false, letters = false;
    for (const size_t i : block) {
      const PageGlyph& g = glyph(i);
      letters |= is_variable(g.letter);
      relation |= is_relation(g.letter);
      large |= is_large_operator(g.letter) || g.letter == 0x221A;
      tall |= g.bottom - g.top > 1.3 * g.size || is_bracket_piece(g.letter);
      const bool sign = lines_.font(i).variables
                            ? !is_digit(g.letter) && g.letter != '.' && g.letter != ','
                            : is_math_letter(g.letter);
      signs += sign && g.letter != 0x2212;
      digits += is_digit(g.letter);
      words += is_cjk(g.letter) || is_right_to_left(g.letter) ||
               (!math(i) && is_ascii_letter(g.letter) && g.size < kSmaller * largest);
      typed += lines_.font(i).mono;
    }
    if (typed * 3 > block.size()) return false;     // code
    if (!letters && !large && !tall) return false;  // "<0.001" in a table
    const bool seed = relation || large || (signs >= 3 && signs * 2 >= block.size()) ||
                      (signs >= 3 && (!rules_of(block).empty() || has_number(block)));
    if (!seed || block.size() < 3 || signs == 0 || signs * 5 < block.size() - words - digits / 2)
      return false;
    return !is_item(block) && !is_text_line(block) &&
           (tall || !(relation || large ? is_grid(lines_, block) : is_head(lines_, block)));
  }

  /// "9: Set k = k + 1", "(c) R = S", "(1) Symmetric, i.e. ...": a line of a listing, an item of a
  /// list.
  bool is_item(const std::vector<size_t>& block) const {
    size_t k = 0;
    while (k < block.size() && is_digit(glyph(block[k]).letter) && !math(block[k])) ++k;
    const uint32_t next = k < block.size() ? glyph(block[k]).letter : 0;
    return glyph(block[0]).letter == 0x2022 || glyph(block[0]).letter == 0x2013 ||
           (k > 0 && (next == ':' || (next == '.' && has_gap_after(block, k)))) ||
           opens_with_label(block);
  }

  bool has_gap_after(const std::vector<size_t>& block, size_t k) const {
    return k + 1 < block.size() &&
           glyph(block[k + 1]).x0 - glyph(block[k]).x1 > 0.2 * glyph(block[k]).size;
  }

  /// Whether the block begins with a label in brackets at its left: of a letter, before a word, or
  /// of digits as near as a blank, where the number of an equation stands further off.
  bool opens_with_label(const std::vector<size_t>& block) const {
    constexpr size_t kLongest = 4, kLeastLetters = 4;
    if (glyph(block[0]).letter != '(' || math(block[0])) return false;
    size_t end = 1;
    while (end < block.size() && end < kLongest && glyph(block[end]).letter != ')') ++end;
    if (end < 2 || end >= block.size() || glyph(block[end]).letter != ')' || math(block[1]) ||
        !has_gap_after(block, end))
      return false;
    constexpr double kTilt = 0.4;  // font sizes: "(b)" is wider than "(a)", which may end there
    const double left = glyph(block[0]).x0 - kTilt * glyph(block[0]).size;
    if (std::any_of(block.begin(), block.end(), [&](size_t i) { return glyph(i).x0 < left; }))
      return false;
    size_t letters = 0;  // of the first word
    for (size_t k = end + 1;
         k < block.size() && !math(block[k]) && is_ascii_letter(glyph(block[k]).letter); ++k)
      ++letters;
    constexpr double kBlank = 0.7;  // font sizes
    const PageGlyph &close = glyph(block[end]), &next = glyph(block[end + 1]);
    const bool number =
        is_digit(glyph(block[1]).letter) && next.x0 - close.x1 < kBlank * close.size;
    return (end == 2 && is_ascii_letter(glyph(block[1]).letter)) || letters >= kLeastLetters ||
           number;
  }

  /// Whether it is a line of a paragraph: right under a line of prose and at its margin, or as near
  /// to the next one too. TeX sets a displayed formula further apart.
  bool is_text_line(const std::vector<size_t>& block) const {
    const PageGlyph* first = nullptr;  // on the line
    double x0 = 1e9, top = 1e9, bottom = -1e9;
    for (const size_t i : block) {
      const PageGlyph& g = glyph(i);
      x0 = std::min(x0, g.x0);
      top = std::min(top, g.top);
      bottom = std::max(bottom, g.bottom);
      if (g.bottom - g.top < g.size && (!first || g.size > 1.1 * first->size)) first = &g;
    }
    const GlyphRun *before = nullptr, *after = nullptr;
    for (const GlyphRun* run : lines_.prose()) {
      if (run->last < glyph(block[0]).order) before = run;
      if (!after && run->first > glyph(block.back()).order) after = run;
    }
    if (lines_.whole_formulas() && first &&
        (goes_on(before, *first, block) || goes_on(after, *first, block)))
      return true;
    if (!before || !first || first->size < 0.9 * before->size) return false;
    const double em = before->size;
    const auto near = [&](double pitch) { return pitch > 0 && pitch < 1.4 * em; };
    constexpr double kTallLine = 2.3;  // em, where limits of a sum are on it
    const double pitch = first->base - before->base;
    if (std::abs(x0 - before->x0) < 0.15 * em && pitch > 0 && bottom - top < kTallLine * em &&
        bottom - before->base < kTallLine * em && holds_word(block))
      return true;
    if (lines_.ends_paragraph(*before, x0, box_of(block, {}).x1, pitch)) return true;
    if (!near(pitch)) return false;
    const bool at_margin = x0 - before->x0 < 0.25 * em && before->x0 - x0 < 2.5 * em;
    return at_margin || (after && near(after->base - first->base));
  }

  /// Whether a word of four letters of a font for text is in it.
  bool holds_word(const std::vector<size_t>& block) const {
    constexpr size_t kLeastLetters = 4;
    constexpr double kWithin = 0.13;  // font sizes
    std::string word;
    const auto holds = [&] { return word.size() >= kLeastLetters && !is_function_name(word); };
    for (size_t k = 0; k < block.size(); ++k) {
      const PageGlyph& g = glyph(block[k]);
      const bool letter = !math(block[k]) && is_ascii_letter(g.letter);
      if (!letter || (k > 0 && g.x0 - glyph(block[k - 1]).x1 > kWithin * g.size)) {
        if (holds()) return true;
        word.clear();
      }
      if (letter) word += char(g.letter);
    }
    return holds();
  }

  /// Whether a block stands on a line of prose that was written right before or after it.
  bool goes_on(const GlyphRun* line, const PageGlyph& first,
               const std::vector<size_t>& block) const {
    constexpr int kNear = 4;  // glyphs
    return line && std::abs(line->base - first.base) < 0.1 * first.size &&
           (std::abs(glyph(block.front()).order - line->last) < kNear ||
            std::abs(line->first - glyph(block.back()).order) < kNear);
  }

  /// The bars that were written within a block, without the frame about it and the page's rules.
  std::vector<PageRule> rules_of(const std::vector<size_t>& block) const {
    std::vector<PageRule> rules =
        lines_.rules(glyph(block.front()).order - 1, glyph(block.back()).order);
    drop_far_rules(rules, box_of(block, {}), glyph(block.front()).size);
    const auto alone = [&](const PageRule& rule, bool above) {
      return std::none_of(block.begin(), block.end(), [&](size_t i) {
        const double middle = (glyph(i).top + glyph(i).bottom) / 2;
        return glyph(i).x0 < rule.x1 && glyph(i).x1 > rule.x0 &&
               (above ? middle < rule.y0 : middle > rule.y1);
      });
    };
    const auto is_frame = [&](const PageRule& top, const PageRule& bottom) {
      constexpr double kSame = 0.5;  // pixels
      return std::abs(top.x0 - bottom.x0) < kSame && std::abs(top.x1 - bottom.x1) < kSame &&
             top.y1 < bottom.y0 && alone(top, true) && alone(bottom, false);
    };
    const std::vector<PageRule> all = rules;
    std::erase_if(rules, [&](const PageRule& rule) {
      return std::any_of(all.begin(), all.end(), [&](const PageRule& other) {
        return is_frame(rule, other) || is_frame(other, rule);
      });
    });
    return rules;
  }

  Box box_of(const std::vector<size_t>& block, const std::vector<PageRule>& rules) const {
    double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
    const auto add = [&](double left, double top, double right, double bottom) {
      x0 = std::min(x0, left), y0 = std::min(y0, top);
      x1 = std::max(x1, right), y1 = std::max(y1, bottom);
    };
    for (const size_t i : block) add(glyph(i).x0, glyph(i).top, glyph(i).x1, glyph(i).bottom);
    for (const PageRule& rule : rules) add(rule.x0, rule.y0, rule.x1, rule.y1);
    return {int(std::floor(x0)) - 1, int(std::floor(y0)), int(std::ceil(x1)) + 1,
            int(std::ceil(y1))};
  }

  const GlyphLines& lines_;
};

}  // namespace

std::vector<PageFormula> read_formulas(const GlyphLines& lines, std::span<const Box> tables) {
  return GlyphFormulas(lines).read(tables);
}

}  // namespace docspec

#include "drafts/grid/formulas/cell_formulas.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/formula/formula_tokens.h"
#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

Box box_of_rule(const PageRule& rule) {
  return {int(std::floor(rule.x0)), int(std::floor(rule.y0)), int(std::ceil(rule.x1)),
          int(std::ceil(rule.y1))};
}

Box box_of_glyph(const PageGlyph& g) {
  return {int(std::floor(g.x0)), int(std::floor(g.top)), int(std::ceil(g.x1)),
          int(std::ceil(g.bottom))};
}

/// Lines that run down, each of which may be drawn in a piece for each line of text.
std::vector<Box> joined_pieces(std::vector<Box> pieces, int reach) {
  std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  std::vector<Box> lines;
  for (const Box& piece : pieces) {
    const auto upper = std::find_if(lines.begin(), lines.end(), [&](const Box& line) {
      return std::abs(line.x0 - piece.x0) <= 1 && piece.y0 <= line.y1 + reach;
    });
    if (upper != lines.end())
      *upper = unite(*upper, piece);
    else
      lines.push_back(piece);
  }
  return lines;
}

/// Reads one cell.
class CellFormulas {
 public:
  /// `glyphs`: those of the cell in the order of writing.
  CellFormulas(const GlyphLines& lines, const Box& cell, std::vector<size_t> glyphs)
      : lines_(lines), glyphs_(std::move(glyphs)) {
    constexpr double kEdge = 0.2;  // font sizes: what is nearer to it is the table's own
    size_ = size_of(glyphs_);
    const double edge = kEdge * size_;
    for (const PageRule& rule : lines.page().rules)
      if (rule.x0 > cell.x0 + edge && rule.x1 < cell.x1 - edge && rule.y0 > cell.y0 + edge &&
          rule.y1 < cell.y1 - edge)
        rules_.push_back(rule);
  }

  /// Its formulas that fill a line, and those among words.
  struct Found {
    std::vector<InlineFormula> whole, among_words;
  };
  Found read() const {
    Found found;
    for (const std::vector<size_t>& row : rows())
      for (const std::vector<size_t>& part : beside_words(row)) {
        const GlyphRun run = run_of(part, row);
        if (is_formula(run))
          add(run, found.whole);
        else
          for (InlineFormula& formula : read_line_formulas(lines_, run, part))
            found.among_words.push_back(std::move(formula));
      }
    return found;
  }

 private:
  const PageGlyph& glyph(size_t i) const { return lines_.glyph(i); }

  /// The size of the largest letters: a font of signs may have another one.
  double size_of(const std::vector<size_t>& glyphs) const {
    double size = 0, any = 0;
    for (const size_t i : glyphs) {
      const uint32_t c = glyph(i).letter;
      any = std::max(any, glyph(i).size);
      if (is_latin_letter(c) || is_greek(c) || is_digit(c)) size = std::max(size, glyph(i).size);
    }
    return size > 0 ? size : any;
  }

  bool has_bar(int from, int to) const {
    return std::any_of(rules_.begin(), rules_.end(),
                       [&](const PageRule& rule) { return rule.order > from && rule.order < to; });
  }

  /// Whether a glyph stands below a bar that was written before it, but not before `from`.
  bool is_under_bar(const PageGlyph& g, int from) const {
    return std::any_of(rules_.begin(), rules_.end(), [&](const PageRule& rule) {
      return rule.order > from && rule.order < g.order && is_across(g, rule);
    });
  }

  /// The cell's lines: a new one begins where all that follows stands below the line of what was
  /// written, but for the lower part of a fraction, whose bar was written between the two, and the
  /// rows beside a tall bracket.
  std::vector<std::vector<size_t>> rows() const {
    constexpr double kSmall = 0.88, kPitch = 0.5, kBelow = -0.2;  // font sizes
    std::vector<double> tops(glyphs_.size() + 1, 1e9);
    for (size_t k = glyphs_.size(); k-- > 0;)
      tops[k] = std::min(tops[k + 1], glyph(glyphs_[k]).top);
    std::vector<std::vector<size_t>> rows;
    double base = 1e9;  // of the row; 1e9 before its first letter of full size
    int last = 0;       // order of the last one
    for (size_t k = 0; k < glyphs_.size(); ++k) {
      const PageGlyph& g = glyph(glyphs_[k]);
      const bool full = g.size > kSmall * size_ && !is_tall(g);
      const bool ends = k > 0 && full && g.base > base + kPitch * size_ &&
                        tops[k] > base + kBelow * size_ && !is_under_bar(g, last) &&
                        !beside_bracket(rows.back(), g);
      if (rows.empty() || ends) rows.emplace_back(), base = 1e9;
      rows.back().push_back(glyphs_[k]);
      if (full) base = base == 1e9 ? g.base : std::max(base, g.base), last = g.order;
    }
    return rows;
  }

  /// Whether a bracket of several rows was written before a glyph and reaches down to it.
  bool beside_bracket(const std::vector<size_t>& row, const PageGlyph& g) const {
    const double middle = (g.top + g.bottom) / 2;
    return std::any_of(row.begin(), row.end(), [&](size_t i) {
      return is_tall(glyph(i)) && !is_large_operator(glyph(i).letter) && glyph(i).top < middle &&
             glyph(i).bottom > middle;
    });
  }

  /// The parts of a line between the letters of scripts that formulas have not.
  std::vector<std::vector<size_t>> beside_words(const std::vector<size_t>& row) const {
    std::vector<std::vector<size_t>> parts;
    bool word = true;
    for (const size_t i : row) {
      const bool before = std::exchange(word, is_of_text(glyph(i).letter));
      if (before && !word) parts.emplace_back();
      if (!word) parts.back().push_back(i);
    }
    return parts;
  }

  static bool is_of_text(uint32_t c) {
    return c == 0 || is_cjk(c) || (c >= 0x400 && c < 0x1E00) || (c >= 0xFB1D && c < 0xFF00);
  }

  /// Whether a sign is higher than letters, or hangs from its line as sums and tall brackets do.
  static bool is_tall(const PageGlyph& g) {
    return g.bottom - g.top > 1.3 * g.size || g.bottom > g.base + 0.45 * g.size;
  }

  /// A part of a line, with the line's height and size.
  GlyphRun run_of(const std::vector<size_t>& part, const std::vector<size_t>& row) const {
    GlyphRun run;
    run.glyphs = part;
    run.first = glyph(part.front()).order, run.last = glyph(part.back()).order;
    for (const size_t i : part)
      run.x0 = std::min(run.x0, glyph(i).x0), run.x1 = std::max(run.x1, glyph(i).x1);
    const auto [top, bottom] = height_of(row);
    run.size = size_of(row);
    // Its line is that of the letters at no bar; a fraction alone has none there.
    constexpr double kAxis = 0.25, kFull = 0.95;  // font sizes
    std::vector<double> bases;
    for (const size_t i : row)
      if (!is_tall(glyph(i)) && glyph(i).size > kFull * run.size && !is_at_bar(glyph(i)))
        bases.push_back(glyph(i).base);
    run.base = bases.empty() ? (top + bottom) / 2 + kAxis * run.size : median(std::move(bases));
    return run;
  }

  bool is_at_bar(const PageGlyph& g) const {
    return std::any_of(rules_.begin(), rules_.end(), [&](const PageRule& rule) {
      return is_across(g, rule) && std::abs(rule.y0 - g.base) < 2 * g.size;
    });
  }
  static bool is_across(const PageGlyph& g, const PageRule& rule) {
    const double middle = (g.x0 + g.x1) / 2;
    return middle > rule.x0 && middle < rule.x1;
  }

  std::pair<double, double> height_of(const std::vector<size_t>& row) const {
    double top = 1e9, bottom = -1e9;
    for (const size_t i : row)
      top = std::min(top, glyph(i).top), bottom = std::max(bottom, glyph(i).bottom);
    return {top, bottom};
  }

  /// Whether a word is of a language: no name of a function, and none that has an index.
  bool is_word(const std::vector<LineToken>& tokens, size_t k) const {
    constexpr size_t kLeast = 3;  // letters
    const LineToken& token = tokens[k];
    return token.kind == LineToken::Kind::word && !token.function && token.bar < 0 &&
           token.glyphs.size() >= kLeast &&
           (k + 1 == tokens.size() || tokens[k + 1].kind != LineToken::Kind::index);
  }

  /// Whether a line is a formula and no text, numbers or marks, which need no LaTeX.
  bool is_formula(const GlyphRun& run) const {
    constexpr size_t kMostWords = 3;  // one letter of a word in so many signs, by a fraction or sum
    const std::vector<LineToken> tokens = line_tokens(lines_, run.glyphs, run);
    size_t words = 0;
    bool math = false, more = false, tall = has_bar(run.first, run.last);
    for (size_t k = 0; k < tokens.size(); ++k) {
      const LineToken& token = tokens[k];
      const PageGlyph& first = glyph(token.glyphs[0]);
      if (is_word(tokens, k)) words += token.glyphs.size();
      const bool index = token.kind == LineToken::Kind::index;
      math |= token.math;
      more |= (token.math && !token.wide && !index && is_variable(first.letter)) ||
              (token.math && token.bar >= 0) || (index && k > 0 && token.math);
      tall |= is_large_operator(first.letter) || is_tall(first);
    }
    more |= math && tall;
    return math && more && (words == 0 || (tall && words * kMostWords <= run.glyphs.size()));
  }

  void add(const GlyphRun& run, std::vector<InlineFormula>& out) const {
    InlineFormula formula;
    std::vector<PageGlyph> glyphs;
    for (const size_t i : run.glyphs) glyphs.push_back(glyph(i));
    const auto [top, bottom] = height_of(run.glyphs);
    std::vector<PageRule> rules;
    for (const PageRule& rule : rules_)
      if (rule.order > run.first - 2 && rule.order < run.last + 2 && rule.y0 > top - run.size &&
          rule.y1 < bottom + run.size)
        rules.push_back(rule);
    const auto latex = formula_latex(lines_.latex_fonts(), glyphs, rules, false);
    if (!latex || latex->empty()) return;
    formula.glyphs = run.glyphs;
    formula.latex = *latex;
    formula.base = run.base;
    formula.size = run.size;
    out.push_back(std::move(formula));
  }

  const GlyphLines& lines_;
  std::vector<size_t> glyphs_;
  std::vector<PageRule> rules_;  // within the cell
  double size_ = 0;              // of its largest letters
};

}  // namespace

std::vector<RuledTable> find_glyph_tables(const GlyphLines& lines) {
  constexpr double kThick = 0.3, kShort = 1, kReach = 0.2;  // font sizes
  std::vector<double> sizes;
  std::vector<Box> boxes;
  for (size_t i = 0; i < lines.size(); ++i) {
    sizes.push_back(lines.glyph(i).size);
    boxes.push_back(box_of_glyph(lines.glyph(i)));
  }
  if (sizes.empty() || lines.page().equations) return {};
  const double em = median(std::move(sizes));
  RulingLines rules;
  for (const PageRule& rule : lines.page().rules)
    if (rule.y1 - rule.y0 < kThick * em && rule.x1 - rule.x0 > kShort * em)
      rules.across.push_back(box_of_rule(rule));
  for (const PageRule& rule : lines.page().uprights)
    if (rule.x1 - rule.x0 < kThick * em) rules.down.push_back(box_of_rule(rule));
  rules.down = joined_pieces(std::move(rules.down), std::max(2, int(kReach * em)));
  std::vector<RuledTable> tables = find_ruled_tables(rules, em);
  std::erase_if(tables, [&](const RuledTable& table) { return !holds_text(table, boxes); });
  return tables;
}

std::vector<InlineFormula> with_cell_formulas(std::vector<InlineFormula> of_lines,
                                              const GlyphLines& lines,
                                              std::span<const RuledTable> tables) {
  std::vector<InlineFormula> whole, among_words;
  for (const RuledTable& table : tables)
    for (const GridCell& cell : table.cells) {
      std::vector<size_t> own;
      for (size_t i = 0; i < lines.size(); ++i)
        if (holds_middle(cell.box, box_of_glyph(lines.glyph(i)))) own.push_back(i);
      if (own.empty()) continue;
      CellFormulas::Found found = CellFormulas(lines, cell.box, std::move(own)).read();
      std::move(found.whole.begin(), found.whole.end(), std::back_inserter(whole));
      std::move(found.among_words.begin(), found.among_words.end(),
                std::back_inserter(among_words));
    }
  std::vector<InlineFormula> all = std::move(whole);
  std::set<size_t> taken;
  for (auto* more : {&of_lines, &among_words}) {
    for (const InlineFormula& formula : all)
      taken.insert(formula.glyphs.begin(), formula.glyphs.end());
    for (InlineFormula& formula : *more)
      if (std::none_of(formula.glyphs.begin(), formula.glyphs.end(),
                       [&](size_t i) { return taken.count(i) > 0; }))
        all.push_back(std::move(formula));
  }
  return all;
}

}  // namespace docspec

#include "drafts/formula/inline_formulas.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "drafts/formula/formula_tokens.h"
#include "drafts/latex/formula_items.h"
#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Kind = LineToken::Kind;

/// Tokens [from, to) of a line.
struct FormulaSpan {
  size_t from = 0, to = 0;
};

/// A formula, or a part of one that the end of its line divides.
struct FormulaPiece {
  InlineFormula formula;
  bool begins_line = false;
  bool goes_on = false;  ///< ends its line with an operator or a relation
};

class LineFormulas {
 public:
  /// `goes_on`: the line before it ended within a formula.
  LineFormulas(const GlyphLines& lines, const GlyphRun& line, std::vector<LineToken> tokens,
               bool goes_on)
      : lines_(lines), line_(line), tokens_(std::move(tokens)), goes_on_(goes_on) {
    constexpr double kBlank = 0.35;  // font sizes
    if (tokens_.size() > 1 && lines_.glyph(tokens_[0].glyphs[0]).letter == 0x2217 &&
        tokens_[1].x0 - tokens_[0].x1 > kBlank * line.size)
      tokens_[0].kind = Kind::other, tokens_[0].math = false;  // the star of a list
  }

  std::vector<FormulaPiece> read() const {
    std::vector<FormulaPiece> out;
    for (size_t at = 0; at < tokens_.size();) {
      FormulaSpan part{at, at + 1};
      while (part.to < tokens_.size() && joins(part.to - 1, part.to)) ++part.to;
      part = close_brackets(part);
      at = part.to;
      trim(part);
      if (part.from < part.to && (is_formula(part) || ends_formula(part))) add(part, out);
    }
    return out;
  }

 private:
  /// Whether two neighbours are parts of one formula, if one of them is of a formula.
  bool joins(size_t left, size_t right) const {
    const LineToken &p = tokens_[left], &q = tokens_[right];
    const double em = line_.size, gap = (q.x0 - p.x1) / em;
    constexpr double kTight = 0.12, kThin = 0.21, kAfterIndex = 0.27, kBlank = 0.75;  // font sizes
    if (p.bar >= 0 && p.bar == q.bar) return true;
    if (in_leader(right)) return false;
    if (p.kind == Kind::other || q.kind == Kind::other) return false;
    if (is_index(q)) return gap < 0.3 && carries(p, q);
    if (p.wide || q.wide) return gap < kBlank && operand(p, gap) && operand(q, gap);
    if (p.kind == Kind::comma || q.kind == Kind::comma) return false;
    if (p.kind == Kind::word || q.kind == Kind::word) {
      if (p.function) return gap < kThin + 0.05 && q.kind != Kind::word;
      if (q.function) return gap < kThin && p.kind != Kind::word && p.kind != Kind::letter;
      return p.kind == Kind::word && q.kind == Kind::open && gap < 0.1;
    }
    if (is_index(p)) return gap < kAfterIndex;
    if (p.math && opens(q)) return gap < kAfterIndex;
    const bool brackets = opens(p) || opens(q) || closes(p) || closes(q);
    return gap < (brackets || p.math == q.math ? kThin : kTight);
  }

  bool has_points(const LineToken& token) const {
    return std::all_of(token.glyphs.begin(), token.glyphs.end(),
                       [&](size_t i) { return lines_.glyph(i).letter == '.'; });
  }

  /// Whether a token is of the row of points before a page's number.
  bool in_leader(size_t k) const {
    constexpr size_t kMost = 3;  // points in formulas
    if (!has_points(tokens_[k])) return false;
    size_t from = k, to = k, points = 0;
    while (from > 0 && has_points(tokens_[from - 1])) --from;
    while (to < tokens_.size() && has_points(tokens_[to])) ++to;
    for (; from < to; ++from) points += tokens_[from].glyphs.size();
    return points > kMost;
  }

  /// An index, not what stands at the bar of a fraction.
  static bool is_index(const LineToken& token) {
    return token.kind == Kind::index && token.bar < 0;
  }
  static bool opens(const LineToken& token) { return token.kind == Kind::open; }
  static bool closes(const LineToken& token) { return token.kind == Kind::close; }

  /// Whether a token can have this index. A unit's is plain text ("cm" with a raised -1).
  bool carries(const LineToken& token, const LineToken& index) const {
    switch (token.kind) {
      case Kind::word:
        return token.function || (index.variables && !(is_name(token) && is_raised(index)));
      case Kind::letter:
        return token.math || token.bold || index.variables;
      case Kind::comma:
        return token.math;
      default:
        return true;
    }
  }

  /// A name may have the marks of a note: "Lo" with a raised alpha among the authors of a paper.
  bool is_name(const LineToken& token) const {
    const auto small = [&](size_t g) {
      return lines_.glyph(g).letter >= 'a' && lines_.glyph(g).letter <= 'z';
    };
    const uint32_t first = lines_.glyph(token.glyphs[0]).letter;
    return first >= 'A' && first <= 'Z' &&
           std::all_of(token.glyphs.begin() + 1, token.glyphs.end(), small);
  }
  bool is_raised(const LineToken& index) const {
    return lines_.glyph(index.glyphs[0]).base < line_.base - 0.15 * line_.size;
  }

  /// Whether a token can stand beside an operator. A single letter of plain text may be a word.
  static bool operand(const LineToken& token, double gap) {
    if (token.wide) return true;
    if (token.kind == Kind::word) return token.function;
    if (token.kind == Kind::comma) return false;
    return token.kind != Kind::letter || token.math || token.bold || gap < 0.3;
  }

  /// The part made longer or shorter so that its brackets are closed.
  FormulaSpan close_brackets(FormulaSpan part) const {
    std::vector<size_t> open;
    for (size_t k = part.from; k < part.to; ++k) {
      const bool closed = half_closed(part, open, k);
      if (opens(tokens_[k]) && !closed) open.push_back(k);
      if (!closes(tokens_[k]) && !closed) continue;
      if (open.empty() && !half_open(part, k) && !(goes_on_ && part.from == 0))
        return k > part.from ? FormulaSpan{part.from, k} : FormulaSpan{part.from, k + 1};
      if (!open.empty()) open.pop_back();
    }
    if (open.empty() || ends_open(part)) return part;
    if (const size_t end = closing(open, part.to)) {
      part.to = end;
      while (part.to < tokens_.size() && joins(part.to - 1, part.to) && !opens(tokens_[part.to]) &&
             !closes(tokens_[part.to]))
        ++part.to;
      return part;
    }
    return open.front() > part.from ? FormulaSpan{part.from, open.front()}
                                    : FormulaSpan{part.from, part.from + 1};
  }

  /// Whether the end of the line divides it: TeX does so behind operators and relations alone.
  bool ends_open(const FormulaSpan& part) const {
    return part.to == tokens_.size() && tokens_.back().wide && tokens_.back().kind != Kind::comma;
  }

  /// Whether it is what the line before it lacks.
  bool ends_formula(const FormulaSpan& part) const {
    const LineToken& first = tokens_[part.from];
    return goes_on_ && part.from == 0 && first.kind != Kind::index && operand(first, 1);
  }

  /// "]0, 1]": a bracket that opens though it looks like one that closes.
  bool half_open(const FormulaSpan& part, size_t at) const {
    for (size_t k = at + 1; k < part.to; ++k)
      if (closes(tokens_[k])) return lines_.glyph(tokens_[at].glyphs[0]).letter == ']';
    return false;
  }

  /// "[0, 1[": likewise one that closes, at the end of the part.
  bool half_closed(const FormulaSpan& part, const std::vector<size_t>& open, size_t at) const {
    const auto square = [&](size_t k) { return lines_.glyph(tokens_[k].glyphs[0]).letter == '['; };
    return at + 1 == part.to && !open.empty() && square(at) && square(open.back()) &&
           at > open.back() + 1;
  }

  /// Where the brackets end that are open before `from`, if nothing between is of the text; else 0.
  size_t closing(std::vector<size_t> open, size_t from) const {
    constexpr size_t kMost = 40;  // tokens
    for (size_t k = from; k < std::min(from + kMost, tokens_.size()); ++k) {
      const LineToken& token = tokens_[k];
      const double gap = (token.x0 - tokens_[k - 1].x1) / line_.size;
      if (token.kind == Kind::other || (token.kind == Kind::word && !token.function) || gap > 1)
        return 0;
      if (opens(token)) open.push_back(k);
      if (closes(token)) open.pop_back();
      if (open.empty()) return k + 1;
    }
    return 0;
  }

  /// Takes off what is of the sentence: its comma, brackets around the whole.
  void trim(FormulaSpan& part) const {
    const auto of_sentence = [&](size_t k) {
      return tokens_[k].kind == Kind::comma ||
             (has_points(tokens_[k]) && tokens_[k].glyphs.size() == 1);
    };
    while (part.to > part.from && of_sentence(part.to - 1)) --part.to;
    while (part.to > part.from && of_sentence(part.from)) ++part.from;
    if (part.to - part.from < 3 || !closes(tokens_[part.to - 1]) ||
        lines_.glyph(tokens_[part.from].glyphs[0]).letter != '(')
      return;
    int depth = 0;
    bool relation = false;  // "(n = 3)" is an aside, "(n)" may be a sequence
    for (size_t k = part.from; k < part.to; ++k) {
      depth += int(opens(tokens_[k])) - int(closes(tokens_[k]));
      if (depth == 0 && k + 1 < part.to) return;  // "(a)(b)"
      relation |= is_relation(lines_.glyph(tokens_[k].glyphs[0]).letter);
    }
    if (!relation) return;
    ++part.from;
    --part.to;
  }

  /// A slash and other marks that dates and names have, too.
  bool is_plain(const LineToken& token) const {
    return std::all_of(token.glyphs.begin(), token.glyphs.end(), [&](size_t i) {
      const uint32_t letter = lines_.glyph(i).letter;
      return letter < 0x80 && std::ispunct(int(letter)) != 0;
    });
  }

  /// The box of a list or at the end of a proof.
  bool is_box(const FormulaSpan& part) const {
    static constexpr std::u32string_view kBoxes = U"□■◻◼∎";
    const auto& glyphs = tokens_[part.from].glyphs;
    return part.to == part.from + 1 && glyphs.size() == 1 &&
           kBoxes.find(char32_t(lines_.glyph(glyphs[0]).letter)) != kBoxes.npos;
  }

  /// Whether it shows more than plain text would.
  bool is_formula(const FormulaSpan& part) const {
    if (is_box(part)) return false;
    bool math = false, on_line = false, more = false;
    for (size_t k = part.from; k < part.to; ++k) {
      const LineToken& token = tokens_[k];
      math |= token.math;
      on_line |= token.kind != Kind::index || token.bar >= 0;
      const bool variable =
          token.math && !token.wide && token.kind != Kind::index && !is_plain(token);
      more |= variable || token.bar >= 0 || (token.kind == Kind::index && k > part.from);
    }
    return math && on_line && more;
  }

  void add(const FormulaSpan& part, std::vector<FormulaPiece>& out) const {
    InlineFormula formula;
    std::vector<PageGlyph> glyphs;
    for (size_t k = part.from; k < part.to; ++k)
      for (const size_t i : tokens_[k].glyphs) {
        formula.glyphs.push_back(i);
        glyphs.push_back(lines_.glyph(i));
      }
    std::vector<PageRule> rules = lines_.rules(glyphs.front().order - 1, glyphs.back().order);
    // The line under the last letters is written behind them.
    for (const PageRule& rule : lines_.rules(glyphs.back().order, glyphs.back().order + 2))
      if (rule.x0 > glyphs.front().x0 - 1 && rule.x1 < glyphs.back().x1 + 0.1 * line_.size)
        rules.push_back(rule);
    const auto latex = formula_latex(lines_.page().fonts, glyphs, rules, false);
    const bool rows = latex && latex->find("\\begin{aligned}") != latex->npos;
    if (!latex || latex->empty() || rows) return;
    formula.latex = *latex;
    formula.base = line_.base;
    formula.size = line_.size;
    out.push_back({std::move(formula), part.from == 0, ends_open(part)});
  }

  const GlyphLines& lines_;
  const GlyphRun& line_;
  std::vector<LineToken> tokens_;
  bool goes_on_;
};

/// Lines of paragraphs: those of prose, and those at their margin or beside them that hold more
/// signs than words.
std::vector<const GlyphRun*> text_lines(const GlyphLines& lines) {
  constexpr double kPitch = 2.2, kIndent = 2.6, kSpace = 1.5;  // font sizes
  std::vector<const GlyphRun*> text = lines.prose();
  const auto near = [&](const GlyphRun& run, const GlyphRun& line) {
    const double em = line.size, apart = std::abs(run.base - line.base);
    if (std::abs(run.size - em) > 0.05 * em) return false;
    const bool beside =
        apart < 0.1 * em && run.x0 < line.x1 + kSpace * em && run.x1 > line.x0 - kSpace * em;
    return beside || (apart < kPitch * em && std::abs(run.x0 - line.x0) < kIndent * em);
  };
  for (const bool again : {false, true})  // two such lines may follow each other
    for (const GlyphRun& run : lines.runs())
      if (!run.prose && (!again || std::find(text.begin(), text.end(), &run) == text.end()) &&
          std::any_of(text.begin(), text.end(), [&](auto* line) { return near(run, *line); }))
        text.push_back(&run);
  std::sort(text.begin(), text.end(),
            [](const GlyphRun* a, const GlyphRun* b) { return a->first < b->first; });
  return text;
}

bool is_displayed(const PageGlyph& g, const std::vector<PageFormula>& displayed) {
  const int x = int(g.x0 + g.x1) / 2, y = int(g.top + g.bottom) / 2;
  return std::any_of(displayed.begin(), displayed.end(), [&](const PageFormula& formula) {
    return x >= formula.box.x0 && x < formula.box.x1 && y >= formula.box.y0 && y < formula.box.y1;
  });
}

/// The glyphs of each line in the order of writing, without those of displayed formulas.
std::map<const GlyphRun*, std::vector<size_t>> glyphs_of(
    const GlyphLines& lines, const std::vector<const GlyphRun*>& text,
    const std::vector<PageFormula>& displayed) {
  std::map<const GlyphRun*, std::vector<size_t>> out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const PageGlyph& g = lines.glyph(i);
    if (is_displayed(g, displayed) || lines.of_page_number(i)) continue;
    const GlyphRun* line = lines.line_of(i);
    if (!line) {
      const auto at = std::find_if(text.begin(), text.end(),
                                   [&](auto* run) { return !run->prose && holds(*run, g); });
      if (at != text.end()) line = *at;
    }
    if (line) out[line].push_back(i);
  }
  return out;
}

/// The formulas that Word's equation editors drew, as one each.
std::vector<InlineFormula> read_pictures(const GlyphLines& lines,
                                         const std::vector<PageFormula>& displayed) {
  std::vector<InlineFormula> out;
  for (const EquationPicture& picture : lines.page().pictures) {
    InlineFormula formula;
    formula.base = picture.base;
    formula.size = picture.size;
    formula.glyphs = lines.glyphs(picture.first, picture.last);
    std::vector<PageGlyph> glyphs;
    bool signs = false;
    for (const size_t i : formula.glyphs) {
      const PageGlyph& g = lines.glyph(i);
      signs |= lines.font(i).variables || is_math_letter(g.letter) || g.size < 0.85 * formula.size;
      glyphs.push_back(g);
    }
    if (!signs || is_displayed(glyphs.front(), displayed)) continue;
    const auto latex =
        formula_latex(lines.page().fonts, glyphs, lines.rules(picture.first, picture.last), false);
    if (!latex || latex->empty()) continue;
    formula.latex = *latex;
    out.push_back(std::move(formula));
  }
  return out;
}

}  // namespace

std::vector<InlineFormula> read_inline_formulas(const GlyphLines& lines,
                                                const std::vector<PageFormula>& displayed) {
  constexpr size_t kMostRuns = 4000;  // a page of text has hundreds
  if (lines.page().equations) return read_pictures(lines, displayed);
  if (lines.runs().size() > kMostRuns) return {};
  const std::vector<const GlyphRun*> text = text_lines(lines);
  const auto glyphs = glyphs_of(lines, text, displayed);
  std::vector<InlineFormula> out;
  const GlyphRun* above = nullptr;  // a line that ends within a formula
  for (const GlyphRun* line : text) {
    const auto own = glyphs.find(line);
    if (own == glyphs.end() || are_of_code(lines, own->second)) continue;
    const bool follows = above && line->base > above->base + 0.5 * line->size &&
                         line->base < above->base + 2.5 * line->size;
    std::vector<FormulaPiece> pieces =
        LineFormulas(lines, *line, line_tokens(lines, own->second, *line), follows).read();
    for (FormulaPiece& piece : pieces) {
      InlineFormula& formula = piece.formula;
      if (follows && piece.begins_line) {
        append_latex(out.back().latex, formula.latex);
        out.back().glyphs.insert(out.back().glyphs.end(), formula.glyphs.begin(),
                                 formula.glyphs.end());
        out.back().base = formula.base;
      } else {
        out.push_back(std::move(formula));
      }
    }
    above = !pieces.empty() && pieces.back().goes_on ? line : nullptr;
  }
  return out;
}

std::vector<InlineFormula> read_line_formulas(const GlyphLines& lines, const GlyphRun& line,
                                              const std::vector<size_t>& glyphs) {
  std::vector<InlineFormula> out;
  for (FormulaPiece& piece :
       LineFormulas(lines, line, line_tokens(lines, glyphs, line), false).read())
    out.push_back(std::move(piece.formula));
  return out;
}

}  // namespace docspec

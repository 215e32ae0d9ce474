#include "drafts/formula/formula_tokens.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/text/unicode.h"
#include "drafts/formula/stacked_signs.h"
#include "drafts/latex/formula_items.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

using Kind = LineToken::Kind;

/// Signs of the fonts of formulas that mark notes and items in text.
bool is_text_sign(uint32_t c) {
  return is_one_of(c, U"•†‡§¶");
}

/// Operators of the fonts of text.
bool is_plain_operator(uint32_t c) {
  return is_one_of(c, U"+×÷±=<>");
}

/// Signs of the fonts of formulas that are operands: all others stand between two.
bool is_operand(uint32_t c) {
  return is_latin_letter(c) || is_greek(c) || is_digit(c) || (c >= 0x2100 && c < 0x2150) ||
         (c >= 0x1D400 && c < 0x1D800) || c == 0x221A || is_one_of(c, U"∂∇∞∅∀∃¬ıȷ⊤⊥□△♯♭♮♠♣♡♢∠′/");
}

class Tokens {
 public:
  Tokens(const GlyphLines& lines, const std::vector<size_t>& glyphs, const GlyphRun& line)
      : lines_(lines), glyphs_(glyphs), line_(line) {}

  std::vector<LineToken> read() {
    for (size_t k = 0; k < glyphs_.size(); ++k) {
      const size_t i = glyphs_[k];
      if (const OverArrow arrow = over_arrow(lines_.page().glyphs, i); arrow.end > 0) {
        tokens_.push_back(token_under(i, arrow));
        while (k + 1 < glyphs_.size() && glyphs_[k + 1] < arrow.end) ++k;
        continue;
      }
      LineToken one = token_of(i, k + 1 < glyphs_.size() ? glyphs_[k + 1] : i);
      if (!tokens_.empty() && continues(tokens_.back(), one, k))
        append(tokens_.back(), one);
      else
        tokens_.push_back(std::move(one));
    }
    join_limits();
    join_dots();
    for (size_t k = 0; k < tokens_.size(); ++k) finish(k);
    drop_slanted_words();
    find_bars();
    return std::move(tokens_);
  }

 private:
  const PageGlyph& glyph(size_t i) const { return lines_.glyph(i); }

  /// Smaller letters that stand on the line are small capitals.
  bool off_line(const PageGlyph& g) const {
    const double shift = std::abs(g.base - line_.base) / line_.size;
    return shift > 0.12 || (g.size < 0.88 * line_.size && shift > 0.02);
  }

  /// A circle around a c.
  bool is_copyright(const PageGlyph& circle) const {
    return circle.letter == 0x25EF && std::any_of(glyphs_.begin(), glyphs_.end(), [&](size_t i) {
             const double middle = (glyph(i).x0 + glyph(i).x1) / 2;
             return is_one_of(glyph(i).letter, U"cC") && middle > circle.x0 && middle < circle.x1;
           });
  }

  /// The letters below an arrow and the arrow, which begins at `at`: one operand.
  LineToken token_under(size_t at, const OverArrow& arrow) const {
    LineToken token;
    token.kind = Kind::sign;
    token.math = true;
    token.x0 = glyph(arrow.letters).x0;
    token.x1 = glyph(arrow.end - 1).x1;
    for (size_t i = at; i < arrow.end; ++i) token.glyphs.push_back(i);
    return token;
  }

  LineToken token_of(size_t i, size_t next) const {
    const PageGlyph& g = glyph(i);
    const uint32_t c = g.letter;
    const bool math = lines_.math(i);
    LineToken token;
    token.glyphs = {i};
    token.x0 = g.x0;
    token.x1 = g.x1;
    // "∼" over "=" and the like.
    const bool stacked =
        next != i && glyph(next).size == g.size &&
        std::abs(glyph(next).x0 - g.x0) + std::abs(glyph(next).x1 - g.x1) < 0.02 * g.size;
    token.bold = font_style(lines_.page().fonts[size_t(g.font)]).bold;
    const bool hangs = math && (is_large_operator(c) || c == 0x221A ||
                                (g.bottom - g.top > 1.05 * g.size && g.size > 0.88 * line_.size));
    if (lines_.font(i).text && (is_latin_letter(c) || is_greek(c))) {
      token.kind = Kind::other;
    } else if (is_accent(c)) {
      const PageGlyph& letter = glyph(next);
      const double middle = (g.x0 + g.x1) / 2;
      token.kind = Kind::sign;
      token.math = (lines_.font(next).variables || is_greek(letter.letter)) &&
                   middle > letter.x0 - 0.2 * g.size && middle < letter.x1 + 0.2 * g.size;
      if (!token.math) token.kind = Kind::word;
    } else if (off_line(g) && !hangs && !stacked) {
      token.kind = Kind::index;
      token.variables = lines_.font(i).variables && is_variable(c);
      token.math = token.variables || (math && !is_text_sign(c));
    } else if (is_text_sign(c) || is_copyright(g)) {
      token.kind = Kind::other;
    } else if (is_digit(c)) {
      token.kind = Kind::number;
    } else if (opens_bracket(c)) {
      token.kind = Kind::open;
    } else if (closes_bracket(c)) {
      token.kind = Kind::close;
    } else if (is_plain_operator(c)) {
      token.kind = Kind::sign;
      token.wide = true;
      token.math = math;
    } else if (c == '!' || c == '/') {
      token.kind = Kind::sign;
      token.math = math;
    } else if (c == ',' || c == ';' || c == ':') {
      token.kind = Kind::comma;
      token.math = token.wide = math;
    } else if (math) {
      token.kind = Kind::sign;
      token.math = true;
      token.wide = !is_operand(c);
    } else if (is_greek(c)) {
      token.kind = Kind::letter;
      token.math = true;
    } else if (is_latin_letter(c)) {
      token.kind = Kind::letter;
      token.math = lines_.font(i).variables;
    }
    return token;
  }

  /// Whether the glyph `k` of the line goes on with a token before it.
  bool continues(const LineToken& last, const LineToken& one, size_t k) const {
    const double gap = one.x0 - last.x1, em = line_.size;
    const uint32_t c = glyph(one.glyphs[0]).letter;
    if (last.kind == Kind::index) return one.kind == Kind::index && gap < 0.5 * em;
    if (last.kind == Kind::number) {
      const bool point = (c == '.' || c == ',') && gap < 0.1 * em && k + 1 < glyphs_.size() &&
                         is_digit(glyph(glyphs_[k + 1]).letter) &&
                         glyph(glyphs_[k + 1]).x0 - one.x1 < 0.1 * em;
      return point || (one.kind == Kind::number && gap < 0.1 * em);
    }
    const auto of_word = [](const LineToken& t) {
      return t.kind == Kind::letter || t.kind == Kind::word;
    };
    return of_word(last) && of_word(one) && gap < 0.13 * em &&
           glyph(last.glyphs.back()).font == glyph(one.glyphs[0]).font;
  }

  static void append(LineToken& token, const LineToken& more) {
    token.glyphs.insert(token.glyphs.end(), more.glyphs.begin(), more.glyphs.end());
    token.x0 = std::min(token.x0, more.x0);
    token.x1 = std::max(token.x1, more.x1);
    token.math = token.kind == Kind::index && (token.math || more.math);
    token.variables |= more.variables;
    if (token.kind == Kind::letter) token.kind = Kind::word;
  }

  /// A sum and the limits above and below it, which were written before and behind it.
  void join_limits() {
    constexpr double kAside = 0.35;  // font sizes, from middle to middle
    const auto is_limit = [&](const LineToken& token, const LineToken& sign) {
      const double off = std::abs(token.x0 + token.x1 - sign.x0 - sign.x1) / 2;
      return token.kind == Kind::index && off < kAside * line_.size &&
             std::all_of(token.glyphs.begin(), token.glyphs.end(),
                         [&](size_t i) { return is_limit_of(glyph(i), glyph(sign.glyphs[0])); });
    };
    for (size_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k].glyphs.size() != 1) continue;
      const LineToken sign = tokens_[k];
      LineToken whole = sign;
      size_t from = k, to = k + 1;
      if (k > 0 && is_limit(tokens_[k - 1], sign)) --from;
      if (to < tokens_.size() && is_limit(tokens_[to], sign)) ++to;
      if (to - from == 1) continue;
      whole.glyphs.clear();
      for (size_t j = from; j < to; ++j) append(whole, tokens_[j]);
      whole.math = true;
      tokens_[from] = std::move(whole);
      tokens_.erase(tokens_.begin() + std::ptrdiff_t(from) + 1,
                    tokens_.begin() + std::ptrdiff_t(to));
      k = from;
    }
  }

  /// Three dots in a row, which a font of text may have, and the commas beside them.
  void join_dots() {
    const auto letter = [&](size_t k) { return glyph(tokens_[k].glyphs[0]).letter; };
    for (size_t k = 0; k + 2 < tokens_.size(); ++k) {
      const bool dots =
          is_one_of(letter(k), U".·⋅") && letter(k + 1) == letter(k) && letter(k + 2) == letter(k);
      if (!dots || tokens_[k + 2].x1 - tokens_[k].x0 > 2 * line_.size) continue;
      for (const size_t more : {k + 1, k + 2}) append(tokens_[k], tokens_[more]);
      tokens_[k].kind = Kind::sign;
      tokens_[k].wide = true;
      tokens_.erase(tokens_.begin() + std::ptrdiff_t(k) + 1,
                    tokens_.begin() + std::ptrdiff_t(k) + 3);
      for (const size_t comma : {k - 1, k + 1})
        if (comma < tokens_.size() && letter(comma) == ',') {
          tokens_[comma].kind = Kind::sign;
          tokens_[comma].wide = true;
        }
    }
  }

  /// What a token's neighbours tell: names of functions, the colon of "f : A → B".
  void finish(size_t k) {
    LineToken& token = tokens_[k];
    const LineToken* next = k + 1 < tokens_.size() ? &tokens_[k + 1] : nullptr;
    if (token.kind == Kind::word) {
      std::string word;
      for (const size_t i : token.glyphs)
        word += glyph(i).letter < 0x80 ? char(glyph(i).letter) : 'x';
      const bool applied =
          next && next->kind == Kind::open && next->x0 - token.x1 < 0.1 * line_.size;
      token.function = (is_function_name(word) && word != "mod") || applied;
    }
    const LineToken* last = k > 0 ? &tokens_[k - 1] : nullptr;
    const double gap = last ? (token.x0 - last->x1) / line_.size : 0;
    // "k-dimensional" from right to left: the sign stands at the word and means no minus.
    if (token.math && token.wide && last && is_right_to_left(glyph(last->glyphs.back()).letter) &&
        gap < 0.1) {
      token.kind = Kind::other;
      token.math = token.wide = false;
    }
    const auto joins = [&](const LineToken* other) {  // of which an operand stands
      return other && (other->wide || glyph(other->glyphs[0]).letter == '/');
    };
    const bool beside = joins(last) || joins(next);
    const bool product = lines_.font(token.glyphs[0]).variables || (token.bold && capitals(token));
    if (token.kind == Kind::word && token.glyphs.size() <= 3 && product &&
        (beside || (next && next->variables))) {
      token.kind = Kind::letter;  // "dx" in a font that text has, too
      token.math = true;
    }
    if (token.kind == Kind::letter && token.bold && beside) token.math = true;
    if (token.kind == Kind::comma && !token.math && glyph(token.glyphs[0]).letter == ':' && last &&
        (gap > 0.15 || maps(k)) && !(next && is_right_to_left(glyph(next->glyphs[0]).letter))) {
      token.kind = Kind::sign;
      token.wide = true;
    }
    if (token.kind == Kind::index && last && gap < 0.3) {
      token.wide = last->wide;
      if (last->kind == Kind::letter && last->bold) tokens_[k - 1].math = true;
      if (is_typed_variable(*last, token))
        token.math = token.variables = tokens_[k - 1].math = true;
    }
  }

  /// Whether a single typed letter has a lowered typed index: code has none.
  bool is_typed_variable(const LineToken& letter, const LineToken& index) const {
    const auto typed = [&](size_t i) { return lines_.font(i).mono; };
    const PageGlyph& first = glyph(index.glyphs[0]);
    return letter.kind == Kind::letter && typed(letter.glyphs[0]) &&
           std::all_of(index.glyphs.begin(), index.glyphs.end(), typed) &&
           is_variable(first.letter) && first.base > line_.base &&
           first.size < 0.88 * glyph(letter.glyphs[0]).size;
  }

  bool capitals(const LineToken& token) const {
    return std::all_of(token.glyphs.begin(), token.glyphs.end(),
                       [&](size_t i) { return glyph(i).letter >= 'A' && glyph(i).letter <= 'Z'; });
  }

  /// Whether an arrow follows close to a colon.
  bool maps(size_t colon) const {
    constexpr size_t kReach = 6;  // tokens
    for (size_t k = colon + 1; k < std::min(colon + kReach, tokens_.size()); ++k) {
      if (tokens_[k].kind == Kind::word || tokens_[k].kind == Kind::comma) return false;
      if (is_one_of(glyph(tokens_[k].glyphs[0]).letter, U"→↦⟶⟼↪↠")) return true;
    }
    return false;
  }

  /// A single slanted letter beside slanted words and brackets is one of them ("a priori", "(i)"),
  /// and letters with dots are initials ("i.e.").
  void drop_slanted_words() {
    const auto slanted = [&](size_t k) {
      return k < tokens_.size() && lines_.font(tokens_[k].glyphs[0]).variables &&
             !lines_.math(tokens_[k].glyphs[0]);
    };
    const auto of_text = [&](size_t k) {
      return slanted(k) && (tokens_[k].kind == Kind::word || tokens_[k].kind == Kind::open ||
                            tokens_[k].kind == Kind::close);
    };
    const auto dot = [&](size_t k) {
      return k < tokens_.size() && glyph(tokens_[k].glyphs[0]).letter == '.';
    };
    for (size_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k].kind != Kind::letter || !slanted(k)) continue;
      const bool initial = (dot(k + 1) && slanted(k + 2) && tokens_[k + 2].kind == Kind::letter) ||
                           (dot(k - 1) && slanted(k - 2) && tokens_[k - 2].kind == Kind::letter);
      if (initial || of_text(k - 1) || of_text(k + 1) || (dot(k + 1) && of_text(k + 2)) ||
          (dot(k - 1) && of_text(k - 2)))
        tokens_[k].math = false;
    }
  }

  /// Marks what stands at the bars of fractions, roots and overlines.
  void find_bars() {
    const std::vector<PageRule> rules =
        lines_.rules(glyph(glyphs_.front()).order - 1, glyph(glyphs_.back()).order);
    for (size_t r = 0; r < rules.size(); ++r) mark_bar(rules[r], int(r));
  }

  void mark_bar(const PageRule& rule, int number) {
    constexpr int kNear = 60;  // glyphs
    const double em = line_.size;
    if (rule.x1 - rule.x0 > 20 * em || std::abs(rule.y0 - line_.base) > 1.5 * em) return;
    std::vector<LineToken*> above, below;
    for (LineToken& token : tokens_)
      for (const size_t i : token.glyphs) {
        const PageGlyph& g = glyph(i);
        const double middle = (g.x0 + g.x1) / 2;
        if (middle > rule.x0 - 0.1 * em && middle < rule.x1 + 0.1 * em &&
            std::abs(g.order - rule.order) < kNear)
          ((g.top + g.bottom) / 2 < rule.y0 ? above : below).push_back(&token);
      }
    const auto signs = [](const std::vector<LineToken*>& tokens) {
      return std::any_of(tokens.begin(), tokens.end(), [](LineToken* t) { return t->math; });
    };
    const bool fraction = !above.empty() && !below.empty();
    const bool words = std::any_of(below.begin(), below.end(), [](const LineToken* token) {
      return token->kind == Kind::word && !token->function;
    });
    // Others are an underlined word, or the line above a note.
    if (!fraction && !(above.empty() && signs(below) && !words)) return;
    for (const auto* side : {&above, &below})
      for (LineToken* token : *side) {
        token->bar = number;
        token->math = true;
        token->wide = false;
      }
  }

  const GlyphLines& lines_;
  const std::vector<size_t>& glyphs_;
  const GlyphRun& line_;
  std::vector<LineToken> tokens_;
};

}  // namespace

std::vector<LineToken> line_tokens(const GlyphLines& lines, const std::vector<size_t>& glyphs,
                                   const GlyphRun& line) {
  return Tokens(lines, glyphs, line).read();
}

bool are_of_code(const GlyphLines& lines, const std::vector<size_t>& glyphs) {
  const auto typed =
      std::count_if(glyphs.begin(), glyphs.end(), [&](size_t i) { return lines.font(i).mono; });
  return lines.font(glyphs.front()).mono && size_t(typed) * 3 > glyphs.size() * 2;
}

}  // namespace docspec

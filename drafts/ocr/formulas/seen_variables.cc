#include "drafts/ocr/formulas/seen_variables.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Use = InkLetter::Use;

constexpr std::u32string_view kFigures = U"∠△▱⊙";

bool is_sign(uint32_t c) {
  return is_one_of(c, U"|\\¬∘⋅·") ||
         (c > 0x80 && is_math_letter(c) && !is_latin_letter(c) && !is_greek(c));
}

class Variables {
 public:
  Variables(InkLine& line, const std::set<uint32_t>& known)
      : line_(line), letters_(line.letters()), known_(known) {}

  void mark() {
    if (is_of_program()) return;
    for (size_t k = 0; k < letters_.size(); ++k) {
      InkLetter& one = letters_[k];
      if (one.letter == 'o' && is_composition(k)) one.letter = 0x2218;
      if (is_greek(one.letter) || (!on_line(k) && is_ascii_letter(one.letter)))
        one.use = Use::variable;
      else if (is_sign(one.letter) || names_figure(k))
        one.use = Use::sign;
      if (one.letter == '0' && k > 0 && letter(k - 1) == 0x2299) one.letter = 'O';  // a circle
    }
    for (size_t from = 0; from < letters_.size();) {
      size_t to = from;
      while (on_line(to) && is_latin_letter(letter(to)) && (to == from || same_word(from, to)))
        ++to;
      if (to == from) {
        ++from;
        continue;
      }
      if (is_product(from, to))
        for (size_t k = from; k < to; ++k) letters_[k].use = Use::variable;
      from = to;
    }
    for (size_t k = 0; k < letters_.size(); ++k) {
      mend_slash(k);
      mend_minus(k);
    }
  }

 private:
  /// Whether the line ends as those of programs do, or is a bracket alone.
  bool is_of_program() const {
    const uint32_t last = letter(letters_.size() - 1);
    return last == '{' || last == ';' || (letters_.size() == 1 && last == '}');
  }
  uint32_t letter(size_t k) const { return line_.letter(k); }
  bool on_line(size_t k) const { return line_.on_line(k); }
  bool same_word(size_t a, size_t b) const { return line_.same_word(a, b); }
  bool is_variable_at(size_t k) const {
    return k < letters_.size() && letters_[k].use == Use::variable;
  }
  bool is_operator(size_t k) const {
    return k < letters_.size() && (letters_[k].use == Use::sign || is_one_of(letter(k), U"=<>+−"));
  }

  /// Whether a sign stands before the letters of a figure's corners: "△ABC".
  bool names_figure(size_t k) const {
    return is_one_of(letter(k), kFigures) && letter(k + 1) >= 'A' && letter(k + 1) <= 'Z';
  }

  /// Whether letters [from, to) next to each other on the line are variables.
  bool is_product(size_t from, size_t to) const {
    const uint32_t before = from > 0 && same_word(from - 1, from) ? letter(from - 1) : 0;
    const uint32_t after = same_word(to - 1, to) ? letter(to) : 0;
    const bool after_index = before != 0 && !on_line(from - 1);
    const bool indexed = after != 0 && !on_line(to);
    const bool beside_sign = is_operator(to) || (from > 0 && is_operator(from - 1));
    if (from > 0 && is_one_of(letter(from - 1), kFigures))
      return to - from <= 4 &&
             std::all_of(
                 letters_.begin() + std::ptrdiff_t(from), letters_.begin() + std::ptrdiff_t(to),
                 [](const InkLetter& one) { return one.letter >= 'A' && one.letter <= 'Z'; });
    if (to - from > 2) return false;
    if (to - from == 2) {
      static constexpr std::u32string_view kDifferentials = U"xytsuzrθ";
      const uint32_t a = letter(from), b = letter(from + 1);
      const auto capital = [](uint32_t c) { return c >= 'A' && c <= 'Z'; };
      if (a == 'd' && is_one_of(b, kDifferentials)) return true;
      if (!capital(a) && capital(b) && beside_sign) return true;
      if (capital(b) && known_.contains(a) && known_.contains(b)) return true;
      std::string name;
      append_utf8(name, a), append_utf8(name, b);
      return (indexed || (beside_sign && before != 0) || after == '(') && !is_function_name(name) &&
             !is_connecting_word(name);
    }
    const uint32_t c = letter(from);
    if (!is_ascii_letter(c)) return false;
    if (indexed || beside_sign || after_index) return true;
    if (after_number(from)) return false;
    if (is_one_of(before, U"'’\"“”.") || is_one_of(after, U"'’")) return false;
    if (after == '.') {  // the end of a sentence, or an initial
      const bool ends = !same_word(from, to + 1);
      return ends && from > 0 && c != 'a' && ((c > 'Z' && before == 0) || known_.contains(c));
    }
    if (before == '(' && after == ')' && (from < 2 || !same_word(from - 2, from - 1)))
      return false;                                                            // "(a)" names a part
    if (after == ')' && before == 0 && from == 0) return is_operator(to + 1);  // "a)"
    if (is_digit(before) && (!is_one_of(c, U"xyzabcnkpqrtuvwij") || is_code(from))) return false;
    if (is_digit(after)) return false;
    if (before == '-' || after == '-') return c != 'e';
    return before != 0 || (after != 0 && !is_one_of(after, U",;:")) || !is_one_of(c, U"aAIOyeou");
  }

  /// Whether a number and a blank or a hyphen stand before a letter: it is a unit.
  bool after_number(size_t k) const {
    if (k > 1 && letter(k - 1) == '-' && same_word(k - 2, k)) return is_digit(letter(k - 2));
    return k > 0 && is_digit(letter(k - 1)) && on_line(k - 1) && !same_word(k - 1, k);
  }

  /// Whether the number before a letter follows a letter of its word: "A1b".
  bool is_code(size_t k) const {
    size_t first = k;
    while (first > 0 && same_word(first - 1, k) && is_digit(letter(first - 1)) &&
           on_line(first - 1))
      --first;
    return first > 0 && same_word(first - 1, k) && is_latin_letter(letter(first - 1));
  }

  /// The ring between two functions is read as a letter.
  bool is_composition(size_t k) const {
    constexpr double kSmall = 0.47;  // ems
    const auto operand = [&](size_t i) {
      return is_variable_at(i) || letter(i) == 0x2032 || letter(i) == 0x2033 ||
             (i < letters_.size() && !on_line(i));
    };
    return on_line(k) && k > 0 && operand(k - 1) && operand(k + 1) && !same_word(k - 1, k) &&
           !same_word(k, k + 1) && letters_[k].read.ink.height() < kSmall * line_.em();
  }

  /// Between two variables it divides.
  void mend_slash(size_t k) {
    if (letter(k) == '/' && k > 0 && is_variable_at(k - 1) && is_variable_at(k + 1))
      letters_[k].use = Use::sign;
  }

  /// OCR reads a minus as a dash or hyphen: what is as wide as a sign and has a variable or a
  /// number beside it.
  void mend_minus(size_t k) {
    constexpr double kWide = 0.42;  // ems
    InkLetter& one = letters_[k];
    if (!is_one_of(one.letter, U"-–—−")) return;
    const auto operand = [&](size_t i) {
      return i < letters_.size() &&
             (letters_[i].use != Use::text || !on_line(i) || is_one_of(letter(i), U"()[]|"));
    };
    const size_t last = k - 1, next = k + 1;
    const bool right = operand(next) || is_digit(letter(next));
    const bool formula = (operand(last) && (right || next == letters_.size())) ||
                         (is_digit(letter(last)) && operand(next)) || (is_operator(last) && right);
    const bool wide = one.read.ink.width() > kWide * line_.em() * (on_line(k) ? 1 : kIndexSize);
    if (formula && (wide || !one.read.own)) one.letter = 0x2212, one.use = Use::sign;
  }

  InkLine& line_;
  std::vector<InkLetter>& letters_;
  const std::set<uint32_t>& known_;
};

}  // namespace

void mark_variables(InkLine& line, const std::set<uint32_t>& known) {
  Variables(line, known).mark();
}

}  // namespace docspec

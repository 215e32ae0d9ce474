#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

inline bool is_one_of(uint32_t c, std::u32string_view set) {
  return set.find(char32_t(c)) != set.npos;
}

/// What `to` has at the place of `c` in `from`; `c` itself where it is not there.
inline uint32_t counterpart(uint32_t c, std::u32string_view from, std::u32string_view to) {
  const size_t at = from.find(char32_t(c));
  return at == from.npos ? c : uint32_t(to[at]);
}

/// A sign between two sides: "=", "≤", "→".
bool is_relation(uint32_t c);

/// A sign that takes limits above and below: "∑", "⋃"; integrals too.
bool is_large_operator(uint32_t c);

/// A letter or sign that only formulas have: relations, Greek letters, operators, script capitals.
bool is_math_letter(uint32_t c);

bool is_ascii_letter(uint32_t c);
/// A letter that words of Latin script are made of, ligatures too.
bool is_latin_letter(uint32_t c);
inline bool is_greek(uint32_t c) {
  return c >= 0x391 && c < 0x3F6;
}
/// What stands for a variable: a letter of Latin, Greek or of mathematics.
inline bool is_variable(uint32_t c) {
  return is_latin_letter(c) || is_greek(c) || (c >= 0x2100 && c < 0x2150) || c >= 0x1D400;
}
inline bool is_digit(uint32_t c) {
  return c >= '0' && c <= '9';
}

/// The name of a function that LaTeX sets upright: "sin", "max".
bool is_function_name(std::string_view word);
/// The names that follow each other without a blank: "lncos"; empty where the word is no such row.
std::vector<std::string_view> function_names(std::string_view word);

/// The number of an equation: "(12)", "(A.3)", "[12.3]".
bool is_equation_number(std::string_view word);

/// Whether a line that begins with this word is text, though the rest may be signs alone: a step of
/// a proof, "∴", what has a label, "A." or "12.x=1", or a heading between ornaments, ">>>>>".
bool opens_text(std::string_view word);

/// A word that stands between formulas: "and", "otherwise".
bool is_connecting_word(std::string_view word);

/// Whether a font holds letters or signs of formulas alone.
bool is_math_font(std::string_view font);
bool has_math_font(std::span<const Word> words);

/// Whether each letter of a font is a variable of its own; those of others make words.
bool is_variables_font(const std::string& font);

/// LaTeX of a word of a formula, without blanks around it; empty if a letter of it has none.
std::string latex_of(const Word& word);

/// LaTeX of one sign; empty if it has none, and for accents. `bold` is said of letters alone.
std::string latex_of(uint32_t sign, bool roman, bool bold);

/// An accent over a letter, as Unicode combines it: U+0302.
bool is_accent(uint32_t c);
/// "\hat", or "\widehat" over several items.
std::string accent_latex(uint32_t accent, bool wide);

/// `more` after `latex`, with a blank where a command would swallow its first letter.
void append_latex(std::string& latex, std::string_view more);

}  // namespace docspec

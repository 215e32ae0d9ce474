#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "drafts/lines/text_blocks.h"

namespace docspec {

inline bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// Share of letters among the characters that are no space; letters outside ASCII count.
double letter_share(std::string_view text);

/// Whether a text has a word: three letters in a row, or two Chinese characters. What OCR makes of
/// formulas, frames and pictures often has none.
bool has_word(std::string_view text);

/// Whether a text has a sign that stands between the sides of an equation.
bool has_relation(std::string_view text);

/// Whether a text has capitals alone, four and more.
bool is_in_capitals(std::string_view text);

/// How many rows the lines of a block make.
size_t rows_in(const TextBlock& block, const std::vector<TextLine>& lines);

/// "Figure 3:", "Tab. 1.", "Listing A1 -": the opening of a caption.
bool opens_caption(std::string_view text);

/// Whether a text begins like a footnote: a number or a sign.
bool opens_note(std::string_view text);

/// Whether a text begins as an item of a Chinese or Japanese text does, with no blank behind its
/// mark: "（1）", "一、", "2、", "③".
bool opens_cjk_item(std::string_view text);

/// "三、" and the like, with no further numeral behind it: a section of a Chinese text.
bool opens_cjk_section(std::string_view text);

/// Whether a line has formulas and nothing else but the mark of an item.
bool is_formulas(std::span<const Word> words, const TextLine& line);

/// Whether a text is no heading by its words: an aside in parentheses, "Source: Bloomberg" below a
/// chart, choices of a question, the name of a figure, a step of a proof, or a sentence in Chinese
/// that goes on.
bool heads_nothing(std::string_view text);

}  // namespace docspec

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// "•", "–", "*" or a dingbat: a mark of a list item that says nothing by itself.
bool is_bullet(std::string_view word);

/// A bullet, "1.", "(a)", "[3]", "2.1": a word that opens a list item or a numbered heading.
bool is_list_marker(std::string_view word);

/// Whether `next` begins the answer after one in a line, "8." behind "7. -1". Answers may stand in
/// one row like choices.
bool continues_numbers(std::span<const Word> words, std::span<const int> line,
                       std::string_view next);

/// Whether a line is what a step of a proof begins with, "∴": its formula stands behind a blank.
bool opens_step(std::span<const Word> words, std::span<const int> line);

/// Whether the gap between two words is what a question leaves to be filled in: "(    )".
bool encloses_blank(const Word& last, const Word& next);

/// Whether `next` begins the choice after the last one in a line, "B." behind "A. 3", or is the
/// text of the choice whose mark ends the line. The choices of a question may stand in one row,
/// however wide the blanks between them are.
bool continues_options(std::span<const Word> words, std::span<const int> line,
                       std::string_view next);

/// Makes a word of its own of each bullet that is joined to its text, where two lines and more
/// begin with bullets: of "•" before any text, of others before Chinese.
void part_bullets(std::vector<Word>& words);

/// Makes a word of its own of each number or letter that is joined to the text of its item
/// ("3.Open", "b)SELECT", "[2]Shevchenko"), where two rows and more begin so and count on.
void part_numbers(std::vector<Word>& words);

/// Gives bullets of a text layer their sign, where the PDF names them by the code of a letter or by
/// a code that Unicode has not given out: single characters of symbol fonts, and single letters of
/// a font of their own that open three lines or more at one place; a minus that opens two lines.
/// Boxes of forms become ☐ ☑ ☒.
void restore_symbol_bullets(std::vector<Word>& words);

}  // namespace docspec

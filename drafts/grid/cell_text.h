#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/lines/line_joiner.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Wider than a blank between words, in sizes of the body text.
constexpr double kPhraseGapEm = 0.45;

/// The boxes of the words whose middle lies in `box`.
std::vector<Box> words_in(const Box& box, std::span<const Word> words);

/// The characters of all these words.
size_t count_letters(std::span<const Word> words);

/// "$", "€", "£" alone.
bool is_money_sign(std::string_view text);

/// Indices of the lines whose middle lies in `box`.
std::vector<int> lines_within(const Box& box, std::span<const TextLine> lines);

/// One line of text in a cell, as phrases from left to right.
using PhraseRow = std::vector<Box>;

/// Lines of the text within `box`; words a blank apart are one phrase, and so are a bullet and the
/// word after it. `em`: size of the body text in pixels.
std::vector<PhraseRow> phrase_rows(const Box& box, std::span<const Word> words, double em);

/// How many phrases stand in `box`.
size_t count_phrases(const Box& box, std::span<const Word> words, double em);

/// What the lines of a head leave free from top to bottom parts it: phrases from left to right.
/// Empty for more than three lines, which are rows that no rule parts.
PhraseRow phrase_columns(const Box& box, std::span<const Word> words, double em);

/// Where column `c` begins in the rows that show it; -1 if none does.
int column_start(const RuledTable& table, int c);

/// Appends the two parts of a cell that is cut at x, where column `c` begins.
void cut_cell(std::vector<GridCell>& out, const GridCell& cell, int c, int x);

/// By row, then column.
void sort_cells(std::vector<GridCell>& cells);

/// `<table><tr><td>..</td></tr></table>` on one line, as dots.ocr writes it, of the `own` words of
/// a table; text is escaped. Each word goes to the cell that holds its middle, else to the nearest
/// one. `cells` by row, then column, not empty.
std::string table_html(std::span<const GridCell> cells, std::span<const Word> words,
                       std::span<const int> own, const LineJoiner& joiner);

}  // namespace docspec

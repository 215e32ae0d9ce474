#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Whether lines of text next to a grid are a row of it: each stands in one column, or has no word
/// that lies across two, and together they fill most columns. `em_px`: size of the body text.
bool fits_columns(const RuledTable& table, std::span<const TextLine> lines,
                  std::span<const Word> words, double em_px);

/// Adds the heads that stand over the columns of a grid, within `zone`, as its first row: each over
/// one column, though it may be wider than what is below it. False, and nothing is added, where
/// they do not or are fewer than `least`.
bool add_heads(RuledTable& table, const Box& zone, std::span<const Word> words, double em_px,
               int least);

/// Adds a row without spans over or below a grid, as far as `y`.
void add_row(RuledTable& table, int y);

/// Adds a column of labels at the left of a grid, from `x` on. False, and nothing is added, where a
/// row has no cell of its own.
bool add_labels(RuledTable& table, int x);

/// Those of the lines `own` (indices) that are in their last row, or in their first one, and in
/// rows that are no further than `near_px` from it: the lines of its cells.
std::vector<int> outer_row(const std::vector<int>& own, const std::vector<TextLine>& lines,
                           bool last, double near_px);

/// How far from a table its heads and labels are looked for, in sizes of the body text.
constexpr double kHeadReach = 4.8, kLabelReach = 12;

/// The shaded band right above a table and as wide, in which its heads may stand, pixels of the
/// frame; empty where there is none.
Box shade_above(const PageInput& page, const Box& table, double em_px);

/// Which of the lines `near` above y are heads of columns: the lowest row and those right above it,
/// three pieces or more side by side, with few words and no larger than the text.
std::vector<int> heads_above(int y, std::span<const TextLine> near, double em_px);

/// Whether the middles of two boxes stand one below the other.
bool is_centred(const Box& a, const Box& b, double em_px);
/// Whether boxes of two rows stand straight one below the other: at one edge, or centred.
bool is_straight(const Box& a, const Box& b, double em_px);

/// The row above or below a stack whose rules are the edges of shade behind every second row, or
/// the heads above that row: as high as the row next to it, and cut into nearly as many pieces.
/// `lines`: those of no table, as far as the stack is wide.
Box row_beside_shades(const Box& stack, bool above, const std::vector<TextLine>& lines,
                      std::span<const Box> rules, std::span<const Word> words, double em_px);

/// The box of the rows `below` a table's last rule that are of it, as totals are: they are near,
/// most cells of its last row have something straight below them, and half of that are numbers.
/// `table`, `below`: the lines of the table and of its columns down to the foot of the page.
Box rows_below(std::span<const TextLine> table, std::span<const TextLine> below,
               std::span<const Word> words, double em_px);

/// Which of the lines `near` are the heads of a table of aligned lines: a row right above the rule
/// that stands over the table and is as wide, with a piece straight above each of its first ones.
std::vector<int> heads_over_rule(std::span<const TextLine> table, std::span<const TextLine> near,
                                 std::span<const Box> rules, const Box& frame, double em_px);

/// Which of the lines `near` a table are upper lines of the heads in its first row: each
/// stands right above one head, straight, and above no other.
std::vector<int> lines_over_heads(std::span<const TextLine> table, std::span<const TextLine> near,
                                  std::span<const Word> words, double em_px);

}  // namespace docspec

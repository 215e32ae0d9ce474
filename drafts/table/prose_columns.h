#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_structure.h"

namespace docspec {

/// Whether each column of a grid is running text, lines of many words that continue below: columns
/// of a page, not of a table.
bool is_prose(const TableGrid& grid, std::span<const Word> words);

/// Whether a grid is a list of contents in columns: in two or more, lines with words begin with
/// numbers that rise from the top of the first column to the foot of the last.
bool lists_contents(const TableGrid& grid, std::span<const Word> words);

/// Whether a grid is two lists side by side: what stands in its first column opens list items, and
/// what stands in another one begins with bullets.
bool are_lists(const TableGrid& grid, std::span<const Word> words);

/// Whether nearly all that stands in one of two columns is code, and next to nothing in the other,
/// or no more than what its text quotes: none of it begins with code.
bool lists_code(const TableGrid& grid, std::span<const Word> words);

/// Of each line whether it is of a listing beside other text: lines in typewriter letters straight
/// below each other, four and more, with signs of programs in half of them; no short names.
std::vector<bool> find_listed(const std::vector<TextLine>& lines, std::span<const Word> words);

/// Whether a column of a page, lines of many words, goes on above or below the lines of a group
/// (indices) that lies across a gutter or a rule: text that runs around a caption, and no table.
bool is_of_columns(const std::vector<int>& group, const std::vector<TextLine>& lines,
                   const Gutters& gutters);

/// Whether the lines next to x on both sides of it stand in rows of their own: many of those that
/// reach to the height of one on the other side are level with none there, neither by their tops
/// nor by their middles or feet, as the rows of a table and labels beside values are.
bool parts_columns(const std::vector<TextLine>& lines, int x, double em);

/// Those of the walls (thin boxes) along which lines stand so.
std::vector<Box> between_columns(std::vector<Box> walls, const std::vector<TextLine>& lines,
                                 double em);

/// The gutters of a page and, where it is no scan, the white between its frames as walls.
Gutters page_columns(const PageInput& page, const RulingLines& rules);

/// Whether the lines of a group stand so at a gutter or at a wall, which no rule between its rows
/// runs over. `rules`: across the page.
bool lies_across(const std::vector<int>& group, const std::vector<TextLine>& lines,
                 const Gutters& gutters, std::span<const Box> rules, double em);

/// Whether the lines of a group (indices) are the wide word spaces of justified text: right above
/// and right below them stand lines of many words with the same edges.
bool is_spaced_prose(const std::vector<int>& group, const std::vector<TextLine>& lines);

/// Whether half of the text in a ruled table, nearly, stands in cells of so many rows that they are
/// the columns of a newspaper, parted by rules.
bool holds_articles(const RuledTable& table, std::span<const Box> words);

/// The lines of a group (indices) that are of a column of text at its left, which goes on above or
/// below the group.
std::vector<int> text_beside(const std::vector<int>& group, const std::vector<TextLine>& lines);

/// The lines of a group (indices) that stand far at the left of labels with values, "Invoice No:",
/// as an address does, and have no such labels themselves.
std::vector<int> text_beside_labels(const std::vector<int>& group,
                                    const std::vector<TextLine>& lines,
                                    std::span<const Word> words);

}  // namespace docspec

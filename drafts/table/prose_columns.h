#pragma once

#include <span>

#include "drafts/table/table_structure.h"

namespace docspec {

/// Whether each column of a grid is running text, lines of many words that continue below: columns
/// of a page, not of a table.
bool is_prose(const TableGrid& grid, std::span<const Word> words);

/// Whether a grid is a list of contents in columns: in two or more, lines with words begin with
/// numbers that rise from the top of the first column to the foot of the last.
bool lists_contents(const TableGrid& grid, std::span<const Word> words);

/// Whether nearly all that stands in one of two columns is code, and next to nothing in the other.
bool lists_code(const TableGrid& grid, std::span<const Word> words);

}  // namespace docspec

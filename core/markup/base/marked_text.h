#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace docspec {

// Marks within the text of a block that models write although their markup has the kind of the
// block.

/// Length of the mark that opens a list item ("- ", "12. "), its blank included; 0 = none.
size_t list_mark(std::string_view line);
/// Takes "## " off; the number of marks.
size_t take_hashes(std::string& text);
/// An item each, with the lines that belong to it; "- " and "* " are taken off.
std::vector<std::string> list_items(const std::string& text);
/// A block's text with the marks of its kind; a formula between `open` and `close`.
std::string with_marks(const Block& block, std::string_view open, std::string_view close);
/// A block's text with its formulas between "\\(" and "\\)": those that are marked; in a text
/// without marks, what looks like LaTeX between dollars.
std::string with_brackets(const Block& block);
/// A text with formulas between "\\(" and "\\)" with dollars instead.
std::string with_dollars(std::string_view text);
/// Appends what one element of known kind and text is: its tables, with text around them as blocks
/// of their own; its list items; a heading without marks; a formula without delimiters, unless it
/// holds one of the `display` ones; else the element as it is.
void add_element(Block element, std::string_view display, std::vector<Block>& blocks);

}  // namespace docspec

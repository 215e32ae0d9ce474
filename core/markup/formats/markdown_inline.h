#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// Plain text as inline CommonMark that renders to the same text: escapes only what would be read
/// as markup, line starts included. Lines stay lines. unescape_markdown(escape_markdown(t)) = t.
/// "12. word" at the head stays as it is: it is shown as an item of that very number, unless an
/// item of another number comes right before it.
std::string escape_markdown(std::string_view text);
/// Where to break the addresses in `text`, which has no blanks, that renderers make links of by
/// themselves: a backslash there ends that. Within such an address a backslash is a part of it, so
/// that what it should escape would be markup.
std::vector<size_t> autolink_breaks(std::string_view text);
/// The bytes of `text` that escape_markdown puts a backslash before.
std::vector<bool> markdown_escapes(std::string_view text);
/// The same for one line after the "## " of a heading, where no other block can begin.
std::string escape_heading(std::string_view line);

/// The same for one line of a pipe table's cell.
std::string escape_cell(std::string_view line);

/// Offset of the mark of "12." or "3)" that opens `line`, as an item of a list does; npos for none.
size_t number_mark(std::string_view line);

/// Takes the backslash away before ASCII punctuation.
std::string unescape_markdown(std::string_view text);

}  // namespace docspec

#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// Line breaks in a text that is printed.
enum class LineBreaks { keep, show };

/// `text` for a terminal or a log: bytes that could move its cursor, change its colours or its
/// title, or turn the direction of writing (control characters, marks of direction, bytes that are
/// no UTF-8) are shown as \x1b or \u{202e}. Names of files and text of documents may hold them.
std::string printable(std::string_view text, LineBreaks breaks);

/// `text` without control characters, which are no letters: line ends and tabs stay. A model or a
/// file of drafts may have them; Markdown that is shown on a terminal must not.
std::string without_controls(std::string_view text);

}  // namespace docspec

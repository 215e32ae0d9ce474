#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// Plain text as inline CommonMark that renders to the same text: escapes only what would be read
/// as markup, line starts included. Lines stay lines. unescape_markdown(escape_markdown(t)) = t.
std::string escape_markdown(std::string_view text);
/// The same for one line behind a heading's "## ", where no other block can open.
std::string escape_heading(std::string_view line);

/// Takes the backslash away before ASCII punctuation.
std::string unescape_markdown(std::string_view text);

}  // namespace docspec

#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// Markdown that a model wrote of a page, without what could act on its own when it is rendered:
/// tags other than plain formatting, images from elsewhere, and links whose scheme is none of http,
/// https and mailto become text. Formatting, formulas and code spans stay.
std::string harmless_markdown(std::string_view text);

/// Length of the formula that `text` begins with ("$x$", "\\(x\\)"), which ends on the same line
/// and reads no other way to a renderer that knows no formulas; 0 = none.
size_t formula_length(std::string_view text);

/// LaTeX for a $$ block that no renderer of Markdown takes for a tag, a link or a new paragraph.
/// LaTeX ignores the blanks and line ends that this adds and removes.
std::string harmless_latex(std::string_view latex);

}  // namespace docspec

#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// LaTeX that a model wrote, made whole, so that programs can set it: braces, \left and \right, and
/// environments that are not closed are closed, ends without a beginning are taken out, and rows
/// outside an environment get one.
std::string mend_latex(std::string_view latex);

/// LaTeX without what the model takes for other letters: Greek capitals and others that look like
/// Latin ones, which OCR read there (`seen`: its text of the same place), and a times sign where a
/// number must stand, which is "x"; without points around the whole.
std::string mend_lookalikes(std::string_view latex, std::string_view seen);

}  // namespace docspec

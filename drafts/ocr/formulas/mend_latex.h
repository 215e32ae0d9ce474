#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// LaTeX that a model wrote, made whole, so that programs can set it: braces, \left and \right, and
/// environments that are not closed are closed, ends without a beginning are taken out, and rows
/// outside an environment get one.
std::string mend_latex(std::string_view latex);

}  // namespace docspec

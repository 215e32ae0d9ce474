#pragma once

#include <string>

namespace docspec {

/// "$$x$$", "\[x\]", "\(x\)" and "$x$" without their marks and the blanks inside them.
std::string bare_latex(std::string text);

}  // namespace docspec

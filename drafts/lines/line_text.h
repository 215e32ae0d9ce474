#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// The words of a line with spaces where the source has them, in reading order (right-to-left
/// scripts too).
std::string line_text(std::span<const Word> words, std::span<const int> line);

}  // namespace docspec

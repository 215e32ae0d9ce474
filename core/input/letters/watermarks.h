#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Which words are watermarks: large letters that run aslant, which Poppler takes to pieces, most
/// of them single letters, and large words printed across others. Their boxes, here as Poppler
/// gives them, would tear apart the lines that they cross.
std::vector<bool> find_watermarks(const std::vector<Word>& words);

}  // namespace docspec

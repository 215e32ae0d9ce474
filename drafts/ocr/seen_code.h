#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Names the font of lines of code on a page image (`kSeenMono`): neighbouring lines whose letters
/// have one width, and many of whose words have signs as code has them. What a typewriter wrote is
/// left alone. In such lines a name with a hyphen is written as elsewhere, with an
/// underscore. `line_lengths`: words of each line, from the first word on; boxes in pixels.
void name_seen_code(std::vector<Word>& words, std::span<const size_t> line_lengths);

}  // namespace docspec

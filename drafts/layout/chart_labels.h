#pragma once

#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

/// The labels of a chart in or around `box`: indices of lines; empty if it is none. A chart has a
/// scale: numbers above each other in equal steps, and hardly any others, and no running text.
std::vector<int> chart_labels(const Box& box, const std::vector<TextLine>& lines,
                              std::span<const Word> words);

}  // namespace docspec

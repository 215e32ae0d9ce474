#pragma once

#include <array>
#include <span>
#include <vector>

#include "drafts/lines/text_lines.h"

namespace docspec {

inline constexpr int kLineFeatures = 36;

/// The input of the layout net for each line: position, size, weight, letters, first characters,
/// neighbours. The same numbers as share/models/layout/train/features.py. `body_px`: size of the
/// body text.
std::vector<std::array<float, kLineFeatures>> line_features(const std::vector<TextLine>& lines,
                                                            std::span<const Word> words,
                                                            double body_px, int width_px,
                                                            int height_px);

}  // namespace docspec

#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/ocr/ppocr/text_map.h"

namespace docspec {

/// How far the words of level lines stand from their base lines: the mean distance of the feet of
/// words without descenders from a straight line, in heights of words: what clearly more than half
/// of the lines exceed that have three such words, 0 where fewer than four have them. On bent
/// paper, where each line bends as the next one does, the distances of two lines from each other
/// count instead. Print has 0.015 or less, also scanned; handwriting 0.021 and more, and so has
/// print from worn type. A line whose mean is below half a pixel counts as level. `line_lengths`:
/// words of each line, from the first word on.
double baseline_jitter(std::span<const Word> words, std::span<const size_t> line_lengths);
/// The most that print has, whichever engine found the words.
inline constexpr double kEvenLines = 0.018;

/// How far the slopes of long lines differ from those of the next lines below them: the distance at
/// a line's end, in heights of lines; the median, 0 where fewer than four have such a neighbour.
/// Next to nothing in print, also on bent paper, where slopes change slowly.
double slope_jitter(std::span<const ppocr::LineBox> lines);

}  // namespace docspec

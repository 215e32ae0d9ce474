#pragma once

#include <span>
#include <vector>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

constexpr double kLineGapEm = 1.0;  ///< wider gaps end a line, in font sizes

/// Whether two columns part here, at a rule or a gutter. A blank of a large typewriter's is as wide
/// as a gutter.
bool parted(const Gutters& gutters, const Word& left, const Word& right);

/// Joins the words of a justified line whose blanks are all as wide as an em and more: a run of
/// equal gaps and many pieces that go on with a sentence.
void close_justified(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                     const Gutters& gutters);

/// Joins neighbours of a row that a wide gap parts, where one marks, labels or counts the other, or
/// where the lines above and below run across the gap.
void glue_lines(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                const Gutters& gutters);

}  // namespace docspec

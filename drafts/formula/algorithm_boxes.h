#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/page/page_image.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {

/// Whether a line, written without blanks, may be the title of an algorithm: "Algorithm1Search".
bool is_algorithm_title(std::string_view line);

/// The boxes in which papers set algorithms: a rule, the title, a rule, the lines, and a rule of
/// the same width. `rules` across the page; `titles`: boxes of lines that are titles; `em` of the
/// text. All in pixels.
std::vector<Box> algorithm_boxes(std::span<const Box> rules, std::span<const Box> titles,
                                 double em);

/// Those of a page's lines.
std::vector<Box> find_algorithms(const std::vector<TextLine>& lines, std::span<const Word> words,
                                 std::span<const Box> rules, double em);

/// The lines within such a box, each with those beside it and with what it lacks in the next; a box
/// may have two columns. `em` of the text.
std::vector<TextBlock> rows_within(const Box& box, const std::vector<TextLine>& lines,
                                   std::span<const Word> words, double em);

}  // namespace docspec

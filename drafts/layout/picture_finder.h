#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/detector/page_net.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Boxes of ink that neither the lines nor `taken` (tables) account for, large enough to be a
/// picture; those that touch are one. Needs PageInput::image.
std::vector<Box> find_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                               std::span<const Box> taken);

/// Boxes of drawings whose labels are text: what is drawn above "Figure 3:", up to the nearest line
/// of prose, with the words in and beside it, and drawings in a frame. Needs PageInput::image.
std::vector<Box> find_diagrams(const PageInput& page, const std::vector<TextLine>& lines);

/// Joins boxes that share half of the smaller one: a figure and its panels.
void join_same(std::vector<Box>& pictures);

/// Boxes of drawings with their labels that a net is sure of, and that hold no prose, table or
/// `known` picture. `look` asks the net, on scans and on pages with drawings that have labels; its
/// boxes are pixels of the frame. `tables`: finds those of aligned text, which a net may take for
/// drawings on scans. Needs PageInput::image.
std::vector<Box> find_sure_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                                    std::span<const Box> known,
                                    const std::function<std::vector<FoundRegion>()>& look,
                                    const std::function<std::vector<Box>()>& tables);

/// A picture without the captions that lie at its upper or lower edge.
Box without_captions(const Box& picture, const std::vector<TextLine>& lines,
                     std::span<const Word> words);

}  // namespace docspec

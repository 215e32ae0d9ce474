#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/detector/page_net.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/margins/page_margins.h"

namespace docspec {

/// The regions that a net finds on a page's image, in pixels of the frame. Without an image there
/// are none.
std::vector<FoundRegion> find_net_regions(const PageNet& net, const PageInput& page);

/// Boxes of the regions of one kind; of two that share half the smaller, that with the better
/// score.
std::vector<Box> boxes_of(const std::vector<FoundRegion>& regions, RegionKind kind);

/// Display formulas of a scan that a net is sure of, each with its number at the margin. `words`:
/// of the page.
std::vector<Box> find_seen_formulas(const std::vector<FoundRegion>& seen,
                                    std::span<const Word> words);

/// The region that covers a box best, and at least half of it, by its index; -1 = none does.
int best_cover(const std::vector<FoundRegion>& regions, const Box& box);

/// The kind of a block of a scan, whose fonts and true sizes are not known: a heading `by_rules` is
/// none where a net sees no heading, but a caption, or a part of a picture, of a table or (where it
/// is hardly larger) of a paragraph. `size`: of the letters, in sizes of the body text.
RegionKind kind_by_sight(RegionKind by_rules, const std::vector<FoundRegion>& seen, const Box& box,
                         double size);

/// Lines at the foot of a scan that a net sees as footers go there: numbers, and words beside them
/// or at the very edge; it takes the last line of a text for a footer, too.
void add_seen_footers(std::vector<Place>& places, const std::vector<FoundRegion>& seen,
                      const std::vector<TextLine>& lines, const PageInput& page);

/// The parts of blocks that lie on different regions, each by itself.
std::vector<TextBlock> parted_by(const std::vector<FoundRegion>& regions,
                                 std::vector<TextBlock> blocks, const std::vector<TextLine>& lines);

}  // namespace docspec

#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/detector/page_net.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {

/// The regions that a net finds on a page's image, in pixels of the frame. Without an image there
/// are none.
std::vector<FoundRegion> find_net_regions(const PageNet& net, const PageInput& page);

/// Boxes of the regions of one kind; of two that share half the smaller, that with the better
/// score.
std::vector<Box> boxes_of(const std::vector<FoundRegion>& regions, RegionKind kind);

/// The region that covers a box best, and at least half of it, by its index; -1 = none does.
int best_cover(const std::vector<FoundRegion>& regions, const Box& box);

/// The parts of blocks that lie on different regions, each by itself.
std::vector<TextBlock> parted_by(const std::vector<FoundRegion>& regions,
                                 std::vector<TextBlock> blocks, const std::vector<TextLine>& lines);

}  // namespace docspec

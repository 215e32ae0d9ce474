#pragma once

#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// The regions of a page as MinerU2.5 writes them (`<|box_start|>x0 y0 x1 y1<|box_end|>
/// <|ref_start|>type<|ref_end|>`, in thousandths of the page), in its order. Boxes that are none
/// and types that hold other regions are left out. `width_px`, `height_px`: of the page's raster.
std::vector<Region> regions_of_layout(std::string_view text, int width_px, int height_px);

/// The page with other regions: each draft's words go to the region that holds their middle, those
/// in no region to the nearest one that stands before them. Drafts without words are left out.
PageDrafts with_regions(const PageDrafts& page, std::vector<Region> regions);

}  // namespace docspec

#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// Ruled tables of a page with a text layer whose own letters no layer has: they are a picture, or
/// drawn as outlines. Their rows are as high as a line or two, unlike a chart's. Pixels of the
/// frame; needs PageInput::image and `text_layer`. `regions`: as detected from the layer, which has
/// pictures there.
std::vector<RuledTable> find_drawn_tables(const PageInput& page,
                                          const std::vector<Region>& regions);

}  // namespace docspec

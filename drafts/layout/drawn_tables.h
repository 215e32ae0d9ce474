#pragma once

#include <span>
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

/// Ruled tables of a page with words in most of their cells, and so no drawings. Needs
/// PageInput::image. `em_px`: size of their letters.
std::vector<RuledTable> find_worded_tables(const PageInput& page, double em_px);

/// The same where the page's lines are known.
std::vector<RuledTable> find_worded_tables(const PageInput& page, const RulingLines& rules,
                                           double em_px);

/// Whether half of what is drawn in a box, and more, is one of those tables.
bool is_of_table(const Box& drawing, std::span<const RuledTable> tables);

}  // namespace docspec

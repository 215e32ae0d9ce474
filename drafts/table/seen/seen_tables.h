#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/detector/page_net.h"
#include "drafts/detector/tables/table_net.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_regions.h"

namespace docspec {

/// The tables of a scan: those that the rules found, or in their place those that a net reads where
/// another net has `seen` a table and the words agree better with what was read there. Lines that
/// are `taken` are of no table, and none lies across the columns of a page where no `rules` do.
/// `read` gives what the net reads in a box, both in pixels of the frame.
std::vector<TableRegion> choose_tables(std::vector<TableRegion> by_rules,
                                       std::span<const FoundRegion> seen, const PageInput& page,
                                       const std::vector<TextLine>& lines,
                                       const std::vector<bool>& taken, std::span<const Box> rules,
                                       double body_px,
                                       const std::function<SeenTable(const Box&)>& read);

}  // namespace docspec

#pragma once

#include <memory>

#include "core/document/drafter.h"
#include "drafts/detector/page_net.h"
#include "drafts/detector/tables/table_net.h"

namespace docspec {

class LineNet;

/// Regions from lines of words (PageInput::words) or, without words, from line boxes
/// (PageInput::lines) by rules: tables by aligned columns, pictures by ink without text (needs
/// PageInput::image), headings by size and weight, lists by their markers, captions by their
/// opening, headers and footers by their place, code by its font. Every word on the page is inside
/// a region.
/// `open`: a net that is asked, on page images and on pages with labelled drawings, which drawings
/// are pictures, and on page images which headings are none and where tables are; `open_tables`: a
/// net that reads these tables. Both may be empty.
std::unique_ptr<LayoutDetector> make_line_layout(OpenPageNet open = {},
                                                 OpenTableNet open_tables = {});

/// The same, but a net decides what a paragraph is, if its words are known.
std::unique_ptr<LayoutDetector> make_net_layout(std::unique_ptr<LineNet> net);

/// The same, but pictures, tables and the kind of each block are those of the regions that a net
/// finds on the page's image; rules decide where it finds none. Throws as `open` at the first page.
std::unique_ptr<LayoutDetector> make_region_layout(OpenPageNet open);

}  // namespace docspec

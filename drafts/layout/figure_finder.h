#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "core/page/ink_map.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// What is drawn in a band.
struct Drawn {
  Box box;
  bool drawing = false;  ///< not rules and frames alone, as of a table or a listing
};

/// `pieces`: of the page's ink without its words; `point` in pixels of the frame.
Drawn drawn_in(const Box& band, const std::vector<InkMap::Piece>& pieces, double point);

/// Boxes of the figures that captions name, with all that is written in them: what is drawn above
/// a caption or, where that is nothing, below it, up to running text, a table or another caption.
/// `pieces`: of the page's ink without its words. Needs PageInput::image.
std::vector<Box> find_named_figures(const PageInput& page, const std::vector<TextLine>& lines,
                                    const std::vector<InkMap::Piece>& pieces);

}  // namespace docspec

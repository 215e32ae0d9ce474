#pragma once

#include <string>
#include <string_view>

#include "core/document/document.h"

namespace docspec {

// What the HTML viewer shows of words on which the model and the page differ (Block::words).

/// A coloured SVG rectangle a difference, to lie over the page's image in points.
std::string difference_rects(const Page& page);
/// Both readings of each difference of the block, to stand below its text; "" without any.
std::string difference_notes(const Page& page, const Block& block);
/// How both look: a style element.
std::string_view difference_style();
/// The keys n and N, which go from one difference to the next, and their count: a script element.
std::string_view difference_script();

}  // namespace docspec

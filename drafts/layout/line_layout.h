#pragma once

#include <memory>

#include "core/document/drafter.h"

namespace docspec {

class LineNet;

/// Regions from lines of words (PageInput::words) or, without words, from line boxes
/// (PageInput::lines) by rules: tables by aligned columns, pictures by ink without text (needs
/// PageInput::image), headings by size and weight, lists by their markers, captions by their
/// opening, headers and footers by their place, code by its font. Every word on the page is inside
/// a region.
std::unique_ptr<LayoutDetector> make_line_layout();

/// The same, but a net decides what a paragraph is, if its words are known.
std::unique_ptr<LayoutDetector> make_net_layout(std::unique_ptr<LineNet> net);

}  // namespace docspec

#pragma once

#include <filesystem>
#include <memory>

#include "core/document/drafter.h"

namespace docspec {

/// Regions from lines of words (PageInput::words) or, without words, from line boxes
/// (PageInput::lines) by rules: tables by aligned columns, pictures by ink without text (needs
/// PageInput::image), headings by size and weight, lists by their markers, captions by their
/// opening, headers and footers by their place, code by its font. Every word on the page is inside
/// a region.
std::unique_ptr<LayoutDetector> make_line_layout();

/// The same, but a net (LineNet) decides what a paragraph is, if its words are known. `folder`: its
/// checkpoint. Throws Error(dependency) if it cannot be read.
std::unique_ptr<LayoutDetector> make_net_layout(const std::filesystem::path& folder);

}  // namespace docspec

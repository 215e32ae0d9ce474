#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Whether most letters of a page stand in lines that run downwards, as Chinese and Japanese may.
bool runs_downwards(std::span<const Word> words);

/// The regions of such a page, its columns from the right: those of the page laid on its left side,
/// where its lines are level and follow each other downwards.
std::vector<Region> detect_downwards(LayoutDetector& detector, const PageInput& page);

}  // namespace docspec

#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"
#include "core/page/region.h"

namespace docspec {

/// Indices of the words of each region, in the regions' order: a word belongs to the smallest
/// region that holds its middle; pictures come last, so that text on them keeps its own region.
/// Words outside all regions belong to none.
std::vector<std::vector<int>> assign_words(std::span<const Word> words,
                                           const std::vector<Region>& regions);

/// One draft for each region that has words. Lines are joined to one paragraph, hyphens at line
/// ends too (kept where the page has the word with its hyphen); code keeps its lines and indents; a
/// table is HTML when its grid is clear, else a line a row.
std::vector<Draft> region_drafts(const std::vector<Region>& regions, std::span<const Word> words,
                                 double dpi, std::string_view source);

}  // namespace docspec

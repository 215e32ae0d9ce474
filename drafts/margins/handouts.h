#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"
#include "drafts/margins/page_margins.h"

namespace docspec {

/// Where a page shows two slides and more, one below the other, what is a header or footer of one
/// is so on the others: lines as far from each other, at the same place across the page, that
/// differ in their digits at most. `places`: of `lines`.
void repeat_furniture(const std::vector<TextLine>& lines, std::span<const Word> words,
                      std::vector<Place>& places);

}  // namespace docspec

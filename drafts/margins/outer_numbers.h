#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Page numbers in the outer corners, right or left of all other lines: two where a scan or a
/// spread shows two pages, however near the text stands.
std::vector<int> outer_numbers(const PageInput& page, const std::vector<TextLine>& lines);

}  // namespace docspec

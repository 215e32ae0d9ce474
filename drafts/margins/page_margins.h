#pragma once

#include <vector>

#include "core/document/drafter.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Where on a page a line belongs.
enum class Place { header, body, footer };

/// Places of the lines as far as one page shows them: rows of header and of footer, set apart from
/// the text or parted from it by a rule, and sideways stamps in the margin. What repeats over pages
/// is known later.
std::vector<Place> margin_places(const PageInput& page, const std::vector<TextLine>& lines,
                                 const RulingLines& rules, double body_px);

}  // namespace docspec

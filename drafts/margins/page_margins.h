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

/// Makes lines that were taken for a header's text of the body where a picture stands nearer below
/// them than the rest of the header above: the picture's own lines are gone. `places`: of `lines`.
void keep_text_above(const std::vector<Box>& pictures, const std::vector<TextLine>& lines,
                     std::vector<Place>& places);

}  // namespace docspec

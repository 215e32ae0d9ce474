#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// What stands between two rules of a stack.
enum class Zone { nothing, one_row, cells, prose };

/// `lines`: those of the zone; `em_px`: size of the body text, here and below.
Zone zone_kind(std::span<const TextLine> lines, const Box& zone, double em_px);

/// Where the heading of another table begins in a zone, a line of bold and larger letters alone; 0
/// = there is none.
int heading_in(std::span<const TextLine> lines, double em_px);

/// Whether the zone between the last two rules of a table is a label without values.
bool is_last_label(std::span<const TextLine> lines, std::span<const Word> words, const Box& zone,
                   const Box& table, double em_px);

}  // namespace docspec

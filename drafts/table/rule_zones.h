#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// What lies between two rules of a stack, or as far as the heading of another table.
struct RuleZone {
  Box box;
  bool above_heading = false;
};

/// What stands in a zone.
enum class Zone { nothing, one_row, cells, prose };

/// `lines`: those of the zone; `em_px`: size of the body text, here and below.
Zone zone_kind(std::span<const TextLine> lines, const Box& zone, double em_px);

/// The heading of another table in a zone: lines of bold and larger letters, each alone; empty
/// where there is none.
Box heading_in(std::span<const TextLine> lines, double em_px);

/// Whether the zone between the last two rules of a table is a label without values.
bool is_last_label(std::span<const TextLine> lines, std::span<const Word> words, const Box& zone,
                   const Box& table, double em_px);

}  // namespace docspec

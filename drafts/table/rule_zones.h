#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "drafts/grid/ruled_table.h"
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

/// Adds a zone with its `lines` to `zones`, cut where another table begins: at its heading, lines
/// of bold letters, each alone, that are larger or have nothing but heads of columns below and
/// right of them; or over its last rows, where those are the bold heads of `over`, the lines above
/// the zone's upper rule, once more, figures aside.
void cut_zone(const Box& zone, std::span<const TextLine> lines, std::span<const TextLine> over,
              std::span<const Word> words, double em_px, std::vector<RuleZone>& zones);

/// Whether the zone between the last two rules of a table is a label without values.
bool is_last_label(std::span<const TextLine> lines, std::span<const Word> words, const Box& zone,
                   const Box& table, double em_px);

/// Whether a grid is a frame around a part of the page: most of its words stand in cells as wide as
/// it, two of which hold several rows, or one where a third of the cells are empty, as in a
/// drawing; or a cell over most columns holds a list.
bool is_frame(const RuledTable& table, std::span<const Word> words, double em_px);

/// Whether the lines of a grid part neighbours within its lines of text, `inside`, as frames around
/// links do, and the edges of pictures and coloured panels on a scan: a table has more white beside
/// its lines.
bool cuts_text(const RuledTable& table, std::span<const TextLine> inside,
               std::span<const Word> words);

/// Whether many cells of a table hold several things side by side, which would be columns.
bool is_torn(std::span<const GridCell> cells, std::span<const Word> words, double em_px);

/// The boxes of the lines that stand together, parted where the white between two rows is high; a
/// row of heads may stand further above the others.
std::vector<Box> parts_at_gaps(std::span<const TextLine> lines, double em_px);

/// The rule over a table's head that stands above its first fill or line; nothing if none does.
const Box* rule_above(const Box& table, std::span<const Box> across, double em_px);

/// Whether the `i`th of the zones of a stack is one row of heads, one over each phrase of the
/// fullest row in the next zone, though hardly more than a blank parts them.
bool stands_over(std::span<const RuleZone> zones, size_t i, std::span<const Word> words,
                 double em_px);

/// Labels at the left of a table's shade: short lines, level with those of the table, beside nearly
/// all of its rows. `near`: the lines of the zone. Empty where other text stands there.
Box labels_beside(const Box& zone, std::span<const TextLine> near, std::span<const TextLine> table,
                  double em_px);

/// Whether lines run `down` within half of a box and more, not at its edges.
bool is_lined(const Box& box, std::span<const Box> down, double em_px);

}  // namespace docspec

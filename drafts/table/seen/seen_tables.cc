#include "drafts/table/seen/seen_tables.h"

#include <algorithm>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/seen/seen_cells.h"

namespace docspec {
namespace {

/// A table as a net saw it without the caption in the upper or lower half of its box.
Box without_caption(Box box, const std::vector<TextLine>& lines, std::span<const Word> words) {
  for (const int i : lines_within(box, lines)) {
    const TextLine& line = lines[size_t(i)];
    if (!opens_caption(line_text(words, line.words))) continue;
    const bool above = line.middle() * 2 < box.y0 + box.y1;
    (above ? box.y0 : box.y1) = above ? line.box.y1 : line.box.y0;
  }
  return box;
}

/// A table of the rules with its words, as if a net had seen it.
FilledTable as_filled(const TableRegion& table, std::span<const Word> words, double em) {
  SeenTable seen;
  seen.cells = table.cells;
  for (const GridCell& cell : table.cells) {
    seen.rows = std::max(seen.rows, cell.row + cell.row_span);
    seen.columns = std::max(seen.columns, cell.column + cell.column_span);
  }
  return fill_cells(seen, table.box, words, em);
}

/// Whether the net's table is taken though the rules found one, of whose lines they have `share`.
/// Where both fit, rules are right more often about spans, and the net about what is one row.
/// drafts.md 4
bool is_better(const FilledTable& net, const FilledTable& rules, double share) {
  constexpr double kFits = 0.98, kTorn = 0.95, kLacks = 0.98, kMoreRows = 1.4;
  if (net.fit < kFits) return false;
  if (rules.fit < kTorn || share < kLacks) return true;
  if (net.rows == rules.rows) return net.columns < rules.columns;
  return net.columns == rules.columns &&
         (net.rows < rules.rows || net.rows >= kMoreRows * rules.rows);
}

}  // namespace

std::vector<TableRegion> choose_tables(std::vector<TableRegion> by_rules,
                                       std::span<const FoundRegion> seen, const PageInput& page,
                                       const std::vector<TextLine>& lines,
                                       const std::vector<bool>& taken, std::span<const Box> rules,
                                       double body_px,
                                       const std::function<SeenTable(const Box&)>& read) {
  constexpr double kSeen = 0.5, kSure = 0.9, kFit = 0.9, kOne = 0.8;
  const Gutters gutters = seen.empty() ? Gutters() : find_gutters(page.words);
  for (const FoundRegion& region : seen) {
    if (region.kind != RegionKind::table || region.score < kSeen) continue;
    Box area = without_caption(region.box, lines, page.words);
    const auto is_rival = [&](const TableRegion& table) {
      return intersect(table.box, area).area() * 2 > std::min(table.box.area(), area.area());
    };
    const auto rivals = std::count_if(by_rules.begin(), by_rules.end(), is_rival);
    const auto rival = std::find_if(by_rules.begin(), by_rules.end(), is_rival);
    if (rivals == 1) area = unite(area, rival->box);  // a net may leave out the head
    const auto is_of_other = [&](int i) {
      return std::any_of(by_rules.begin(), by_rules.end(), [&](const TableRegion& table) {
        return !is_rival(table) &&
               std::find(table.lines.begin(), table.lines.end(), i) != table.lines.end();
      });
    };
    std::vector<int> inside = lines_within(area, lines);
    std::erase_if(inside, [&](int i) { return taken[size_t(i)] || is_of_other(i); });
    if (inside.empty() || lies_across(inside, lines, gutters, rules, body_px)) continue;
    const Box own = box_of(inside, lines);
    const SeenTable table = read(own);
    if (!table.complete || table.score < kSure || table.rows < 2 || table.columns < 2) continue;
    FilledTable filled = fill_cells(table, own, page.words, body_px);
    const double share = rivals == 1 ? double(rival->lines.size()) / double(inside.size()) : 0;
    const bool better = share >= kOne
                            ? is_better(filled, as_filled(*rival, page.words, body_px), share)
                            : filled.fit >= kFit;
    if (!better) continue;
    std::erase_if(by_rules, is_rival);
    by_rules.push_back({std::move(inside), own, std::move(filled.cells)});
  }
  return by_rules;
}

}  // namespace docspec

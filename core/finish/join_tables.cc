#include <algorithm>
#include <cmath>

#include "core/finish/finish_document.h"
#include "core/markup/base/html_tree.h"
#include "core/markup/base/table.h"

namespace docspec {
namespace {

bool is_marginal(const Block& block) {
  return block.kind == RegionKind::page_header || block.kind == RegionKind::page_footer ||
         block.kind == RegionKind::footnote;
}

/// The table that is the last (or first) thing of a page's text; nullptr when something else is.
Block* edge_table(Page& page, bool last) {
  const auto pick = [](auto from, auto to) -> Block* {
    for (auto it = from; it != to; ++it) {
      if (is_marginal(*it)) continue;
      return it->kind == RegionKind::table && it->html ? &*it : nullptr;
    }
    return nullptr;
  };
  return last ? pick(page.blocks.rbegin(), page.blocks.rend())
              : pick(page.blocks.begin(), page.blocks.end());
}

int column_count(const Table& table) {
  int columns = 0;
  for (const TableCell& cell : table.rows.front()) columns += cell.colspan;
  return columns;
}

bool same_edges(const Page& page, const PointBox& upper, const PointBox& lower) {
  const double slack = 0.03 * page.width_pt;
  return std::abs(upper.x0 - lower.x0) < slack && std::abs(upper.x1 - lower.x1) < slack;
}

std::string plain_text(const Table& table) {
  std::string out;
  for (const auto& row : table.rows) {
    for (const TableCell& cell : row) out += (cell.text.empty() ? "" : cell.text + " ");
    if (out.ends_with(' ')) out.back() = '\n';
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

/// Appends the rows of `lower`, which stands on `page`; false when they are two tables.
bool join(Block& upper, int upper_page, const Block& lower, const Page& page) {
  auto above = parse_html_table(*upper.html), below = parse_html_table(*lower.html);
  const PointBox& edge = upper.parts.empty() ? upper.box_pt : upper.parts.back().box_pt;
  if (!above || !below || column_count(*above) != column_count(*below) ||
      !same_edges(page, edge, lower.box_pt))
    return false;
  const int rows = int(above->rows.size());
  if (upper.parts.empty()) upper.parts.push_back({upper_page, upper.box_pt, 0, rows});
  const bool repeats = below->rows.size() > 1 && below->rows.front() == above->rows.front();
  above->rows.insert(above->rows.end(), below->rows.begin() + (repeats ? 1 : 0), below->rows.end());
  upper.parts.push_back({page.page, lower.box_pt, rows, int(above->rows.size())});
  upper.words.insert(upper.words.end(), lower.words.begin(), lower.words.end());
  upper.html = render_html_table(*above);
  upper.text = plain_text(*above);
  return true;
}

}  // namespace

void join_tables(Document& document) {
  Block* open = nullptr;  // a table that may continue; it stays on the page where it begins
  int open_page = 0, last_page = 0;
  for (Page& page : document.pages) {
    Block* first = edge_table(page, false);
    if (open && first && page.page == last_page + 1 && join(*open, open_page, *first, page)) {
      page.blocks.erase(page.blocks.begin() + (first - page.blocks.data()));
      const bool more = std::any_of(page.blocks.begin(), page.blocks.end(),
                                    [](const Block& block) { return !is_marginal(block); });
      last_page = page.page;
      if (!more) continue;  // it may fill this page and continue
    }
    open = edge_table(page, true);
    open_page = last_page = page.page;
  }
}

}  // namespace docspec

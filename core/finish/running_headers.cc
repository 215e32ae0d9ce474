#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "core/finish/finish_document.h"

namespace docspec {
namespace {

constexpr double kMargin = 0.12;      // share of the page's height where running heads stand
constexpr double kWideMargin = 0.17;  // where those stand that half of the pages have
constexpr size_t kLeastPages = 3;

bool is_head(const Block& block) {
  return block.kind == RegionKind::page_header || block.kind == RegionKind::page_footer;
}

/// Whether a text stands on its side at the left or right edge.
bool on_side(const Page& page, const Block& block) {
  constexpr size_t kShort = 40;  // longer ones are the heads of a table
  const PointBox& box = block.box_pt;
  return block.text.size() <= kShort && box.y1 - box.y0 > 3 * (box.x1 - box.x0) &&
         (box.x1 < kMargin * page.width_pt || box.x0 > (1 - kMargin) * page.width_pt);
}

/// -1 at the top edge or on its side, 1 at the bottom edge, 0 elsewhere.
int edge(const Page& page, const Block& block, double margin) {
  if (on_side(page, block) || block.box_pt.y1 < margin * page.height_pt) return -1;
  return block.box_pt.y0 > (1 - margin) * page.height_pt ? 1 : 0;
}

/// The same in the margin that a block of this kind may stand in: a line of text further in than a
/// heading, which may be repeated on purpose.
int edge(const Page& page, const Block& block) {
  constexpr size_t kLine = 80;
  const bool line = block.kind == RegionKind::text && block.text.size() <= kLine;
  return edge(page, block, line ? kWideMargin : kMargin);
}

/// The text without its numbers: "Page 12 of 30" -> "Page # of #".
std::string pattern(const std::string& text) {
  std::string out;
  for (char c : text)
    if (!std::isdigit(uint8_t(c)))
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  return out;
}

bool drafted(const Page& page) {
  return page.level == PageLevel::draft || page.level == PageLevel::text_layer;
}

bool movable(const Block& block) {
  return block.kind == RegionKind::text || block.kind == RegionKind::section_header ||
         block.kind == RegionKind::title || block.kind == RegionKind::list_item ||
         block.kind == RegionKind::footnote || is_head(block);
}

/// Where a text stands, coarse enough for a scan that moved a little.
using Spot = std::pair<int, std::string>;

}  // namespace

void mark_running_headers(Document& document) {
  if (document.pages.size() < kLeastPages) return;
  std::map<Spot, size_t> seen;                          // pages with this text at this edge
  std::map<std::pair<int, int>, size_t> heads_at_edge;  // pages with a head there, by height
  const auto height = [](const Page& page, const Block& block) {
    return int(
        std::lround(40 * (block.box_pt.y0 + block.box_pt.y1) / 2 / std::max(1.0, page.height_pt)));
  };
  for (const Page& page : document.pages) {
    std::map<Spot, bool> here;
    std::map<std::pair<int, int>, bool> heights;
    for (const Block& block : page.blocks) {
      const int side = edge(page, block);
      if (side == 0 || block.text.empty()) continue;
      here[{side, pattern(block.text)}] = true;
      if (is_head(block)) heights[{side, height(page, block)}] = true;
    }
    for (const auto& [spot, there] : here) ++seen[spot];
    for (const auto& [at, there] : heights) ++heads_at_edge[at];
  }
  const size_t enough = std::max<size_t>(2, document.pages.size() / 3);
  const size_t half = std::max<size_t>(kLeastPages, (document.pages.size() + 1) / 2);
  for (Page& page : document.pages) {
    if (!drafted(page)) continue;
    const bool body = page.blocks.size() > 1;  // a page's only line is no head
    for (Block& block : page.blocks) {
      const int side = edge(page, block);
      if (!movable(block) || side == 0 || block.text.empty()) continue;
      const size_t pages = seen[{side, pattern(block.text)}];
      const bool far_out = edge(page, block, kMargin) != 0;
      if (body && pages >= (far_out ? enough : half) && block.text.size() <= 160) {
        block.kind = side < 0 ? RegionKind::page_header : RegionKind::page_footer;
        block.level.reset();
      } else if (block.kind == RegionKind::page_header && pages == 1 && !on_side(page, block) &&
                 pattern(block.text).find('#') == std::string::npos) {
        const int at = height(page, block);
        size_t alike = 0;
        for (int near = at - 1; near <= at + 1; ++near) alike += heads_at_edge[{side, near}];
        if (alike <= 1) block.kind = RegionKind::text;  // no other page has a head there
      }
    }
  }
}

}  // namespace docspec

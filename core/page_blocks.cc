#include "core/page_blocks.h"

#include <algorithm>
#include <cctype>

namespace docspec {
namespace {

/// Rank of a source, best first; unknown ones keep their order behind.
int rank(const Draft& draft) {
  if (draft.source == "replay") return 0;
  if (draft.source == "text-layer") return 1;
  return 2;
}

const Draft* best_draft(const PageDrafts& page, const Region& region) {
  const Draft* best = nullptr;
  for (const Draft& draft : page.drafts)
    if (draft.region == region.id && !draft.text.empty() && (!best || rank(draft) < rank(*best)))
      best = &draft;
  return best;
}

PointBox to_points(const Box& box, double dpi) {
  const double scale = dpi > 0 ? 72 / dpi : 1;
  return {box.x0 * scale, box.y0 * scale, box.x1 * scale, box.y1 * scale};
}

/// The text of a table's HTML: cells apart by a space, rows by a line.
std::string table_text(std::string_view html) {
  std::string text;
  for (size_t at = 0; at < html.size();) {
    const std::string_view rest = html.substr(at);
    if (rest.starts_with("</tr>")) {
      while (text.ends_with(' ')) text.pop_back();
      text += '\n';
    }
    if (rest.starts_with("</td>") || rest.starts_with("</th>")) text += ' ';
    if (rest[0] == '<') {
      at += std::min(rest.find('>'), rest.size() - 1) + 1;
      continue;
    }
    static constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& e) { return rest.starts_with(e.first); });
    text += entity == std::end(kEntities) ? rest[0] : entity->second;
    at += entity == std::end(kEntities) ? 1 : entity->first.size();
  }
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text;
}

Block make_block(const Region& region, const Draft* draft, double dpi) {
  Block block;
  block.kind = region.kind;
  block.box_pt = to_points(region.box, dpi);
  if (!draft) return block;
  block.source = draft->source;
  block.text = draft->text;
  if (region.kind == RegionKind::table && draft->text.starts_with("<table")) {
    block.html = draft->text;
    block.text = table_text(draft->text);
  }
  if (region.kind == RegionKind::title || region.kind == RegionKind::section_header)
    block.level = heading_level(region.kind, block.text);
  return block;
}

}  // namespace

int heading_level(RegionKind kind, std::string_view text) {
  if (kind == RegionKind::title) return 1;
  int parts = 0;
  for (size_t at = 0; at < text.size() && std::isdigit(uint8_t(text[at]));) {
    while (at < text.size() && std::isdigit(uint8_t(text[at]))) ++at;
    ++parts;
    if (at < text.size() && text[at] == '.') ++at;
  }
  return std::clamp(parts + 1, 2, 6);
}

PageBlocks page_blocks(const PageDrafts& page) {
  std::vector<const Region*> regions;
  for (const Region& region : page.regions) regions.push_back(&region);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region* a, const Region* b) { return a->order < b->order; });
  PageBlocks out;
  bool any_text = false, all_text_layer = true;
  const auto add = [&](Block block) {
    block.id = block.order = int(out.blocks.size());
    if (!block.text.empty()) {
      any_text = true;
      all_text_layer &= block.source == "text-layer";
    }
    out.blocks.push_back(std::move(block));
  };
  for (const Region* region : regions) {
    const Draft* draft = best_draft(page, *region);
    if (draft || region->kind == RegionKind::picture) add(make_block(*region, draft, page.dpi));
  }
  if (!any_text) {
    const Draft* whole = nullptr;
    for (const Draft& draft : page.drafts)
      if (!draft.region && !draft.text.empty() && (!whole || rank(draft) < rank(*whole)))
        whole = &draft;
    const Region everything{0, 0, RegionKind::text, {0, 0, page.width_px, page.height_px}, 1};
    if (whole) add(make_block(everything, whole, page.dpi));
  }
  out.level = any_text && all_text_layer ? PageLevel::text_layer : PageLevel::draft;
  return out;
}

}  // namespace docspec

#include "drafts/regions/join_regions.h"

#include <algorithm>
#include <utility>

namespace docspec {

void join_code(std::vector<Region>& regions, double em) {
  const bool print_out = std::all_of(regions.begin(), regions.end(), [](const Region& region) {
    return region.kind == RegionKind::code || region.kind == RegionKind::page_header ||
           region.kind == RegionKind::page_footer;
  });
  constexpr double kBlank = 4, kIndent = 8;  // em: two empty lines; back to the left edge
  const auto beside = [](const Box& a, const Box& b) { return a.y0 < b.y1 && b.y0 < a.y1; };
  std::vector<Region> joined;
  for (Region& region : regions) {
    const auto home = std::find_if(joined.rbegin(), joined.rend(), [&](const Region& other) {
      if (other.kind != RegionKind::code || region.kind != RegionKind::code) return false;
      const int aside =
          std::max(region.box.x0, other.box.x0) - std::min(region.box.x1, other.box.x1);
      const bool below = region.box.y0 - other.box.y1 < kBlank * em &&
                         region.box.y1 > other.box.y1 &&
                         aside < (region.box.y0 >= other.box.y1 ? kIndent * em : 0);
      const bool next = &other == &joined.back() && below;
      return next || (print_out && beside(region.box, other.box));
    });
    if (home != joined.rend()) {
      home->box = unite(home->box, region.box);
      continue;
    }
    region.id = region.order = int(joined.size());
    joined.push_back(region);
  }
  regions = std::move(joined);
}

void join_tables(std::vector<Region>& regions, double em) {
  std::vector<Region> joined;
  for (Region& region : regions) {
    Region* last = joined.empty() ? nullptr : &joined.back();
    if (last && last->kind == RegionKind::table && region.kind == RegionKind::table &&
        last->cells.empty() && region.cells.empty() && region.box.y0 - last->box.y1 < 2 * em &&
        region.box.y1 > last->box.y0 - 2 * em) {
      last->box = unite(last->box, region.box);
      continue;
    }
    region.id = region.order = int(joined.size());
    joined.push_back(std::move(region));
  }
  regions = std::move(joined);
}

}  // namespace docspec

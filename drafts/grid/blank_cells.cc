#include "drafts/grid/blank_cells.h"

#include <algorithm>
#include <set>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// Whether a part of the page, but for a margin along its edges, is of one colour.
bool is_plain(const PageImage& image, double scale, const Box& part) {
  constexpr int kMargin = 3, kMostContrast = 24;
  const Box seen = intersect({int(part.x0 / scale) + kMargin, int(part.y0 / scale) + kMargin,
                              int(part.x1 / scale) - kMargin, int(part.y1 / scale) - kMargin},
                             {0, 0, image.width_px(), image.height_px()});
  int least = 255, most = 0;
  for (int y = seen.y0; y < seen.y1; ++y)
    for (int x = seen.x0; x < seen.x1; ++x) {
      const int green = image.row(y)[size_t(x) * 3 + 1];
      least = std::min(least, green);
      most = std::max(most, green);
    }
  return most - least <= kMostContrast;
}

}  // namespace

bool is_blank_form(const RuledTable& table, std::span<const Box> words, const PageInput& page) {
  constexpr int kOver = 3;            // pixels that a letter may reach over the edge of its cell
  constexpr size_t kLeastFilled = 2;  // columns
  if (!are_rendered(page.words)) return false;
  const double scale = double(page.width_px) / page.image->width_px();
  std::set<int> filled;
  for (const GridCell& cell : table.cells) {
    const auto is_own = [&](const Box& word) { return holds_middle(cell.box, word); };
    const auto keeps_within = [&](const Box& word) {
      return word.x0 > cell.box.x0 - kOver && word.x1 < cell.box.x1 + kOver;
    };
    bool own = false;
    for (const Box& word : words) {
      if (!is_own(word)) continue;
      own = true;
      if (!keeps_within(word)) return false;
    }
    if (own) filled.insert(cell.column);
    if (!own && !is_plain(*page.image, scale, cell.box)) return false;
  }
  return filled.size() >= kLeastFilled;
}

}  // namespace docspec

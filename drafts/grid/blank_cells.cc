#include "drafts/grid/blank_cells.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// Whether next to all of a part of the page, but for a margin along its edges, is of one colour; a
/// `scan` has some noise.
bool is_plain(const PageImage& image, double scale, const Box& part, bool scan) {
  constexpr double kMargin = 1.0 / 28;  // inches: rules, double ones too
  constexpr size_t kOther = 300;        // one pixel of so many may have another, at round corners
  const int most = scan ? 60 : 24;      // levels from the usual one
  const int margin = std::max(3, int(kMargin * image.dpi()));
  const Box seen = intersect({int(part.x0 / scale) + margin, int(part.y0 / scale) + margin,
                              int(part.x1 / scale) - margin, int(part.y1 / scale) - margin},
                             {0, 0, image.width_px(), image.height_px()});
  std::array<size_t, 256> counts{};
  for (int y = seen.y0; y < seen.y1; ++y)
    for (int x = seen.x0; x < seen.x1; ++x) ++counts[image.row(y)[size_t(x) * 3 + 1]];
  const auto usual = int(std::max_element(counts.begin(), counts.end()) - counts.begin());
  size_t all = 0, other = 0;
  for (int level = 0; level < 256; ++level) {
    all += counts[size_t(level)];
    if (std::abs(level - usual) > most) other += counts[size_t(level)];
  }
  return other * kOther <= all;
}

}  // namespace

bool is_blank_form(const RuledTable& table, std::span<const Box> words, const PageInput& page) {
  constexpr size_t kLeastFilled = 2;  // columns
  constexpr size_t kLeastLabels = 3;  // of a form whose other columns are all to be filled in
  constexpr double kWord = 1.5;       // times as wide as high: no number of a line
  const bool scan = are_of_ocr(page.words);
  if (page.words.empty() || !page.image) return false;
  const double scale = double(page.width_px) / page.image->width_px();
  std::set<int> filled;
  size_t labels = 0;
  for (const GridCell& cell : table.cells) {
    const auto is_own = [&](const Box& word) { return holds_middle(cell.box, word); };
    const auto keeps_within = [&](const Box& word) {
      const int over = scan ? word.height() / 3 : 3;  // that a letter may reach over the edge
      return word.x0 > cell.box.x0 - over && word.x1 < cell.box.x1 + over;
    };
    bool own = false, label = false;
    for (const Box& word : words) {
      if (!is_own(word)) continue;
      own = true;
      label |= word.width() > kWord * word.height();
      if (!keeps_within(word)) return false;
    }
    if (own) filled.insert(cell.column);
    labels += label && cell.column == 0 && cell.column_span < table.columns;
    if (!own && !is_plain(*page.image, scale, cell.box, scan)) return false;
  }
  return filled.size() >= kLeastFilled || labels >= kLeastLabels;
}

}  // namespace docspec

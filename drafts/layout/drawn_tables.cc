#include "drafts/layout/drawn_tables.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/median.h"
#include "core/page/ink_pieces.h"
#include "drafts/grid/ruling_lines.h"

namespace docspec {
namespace {

/// The usual size of the layer's letters, in pixels of the frame.
double text_size(const PageInput& page) {
  std::vector<double> sizes;
  for (const Word& word : page.text_layer)
    if (word.font_size_pt > 0) sizes.push_back(word.font_size_pt * page.dpi / 72);
  constexpr double kUsualPt = 10;
  return sizes.empty() ? kUsualPt * page.dpi / 72 : median(std::move(sizes));
}

/// Whether a table stands on paper: waves and leaves of a photograph have strokes, too.
bool is_on_paper(const PageImage& image, double scale, const Box& table) {
  constexpr int kPaper = 200, kStep = 3;  // pixels: a sample will do
  const Box part = intersect(in_image(table, scale), {0, 0, image.width_px(), image.height_px()});
  int light = 0, all = 0;
  for (int y = part.y0; y < part.y1; y += kStep)
    for (int x = part.x0; x < part.x1; x += kStep, ++all) light += image.row(y)[3 * x + 1] > kPaper;
  return 2 * light > all;
}

/// Whether something is written in the cell: ink that is not of its lines.
bool is_filled(const PageImage& image, double scale, const Box& cell) {
  constexpr int kEdge = 2;
  const Box all = in_image(cell, scale);
  const Box inner = intersect({all.x0 + kEdge, all.y0 + kEdge, all.x1 - kEdge, all.y1 - kEdge},
                              {0, 0, image.width_px(), image.height_px()});
  return inner.width() > 3 && inner.height() > 3 && !InkPieces(image, inner).whole().empty();
}

}  // namespace

std::vector<RuledTable> find_drawn_tables(const PageInput& page,
                                          const std::vector<Region>& regions) {
  constexpr double kLeastArea = 0.01;  // of the page
  constexpr double kHighestRow = 3.5;  // em
  constexpr int kLeastRows = 4, kLeastColumns = 2;
  const double area = kLeastArea * double(page.width_px) * page.height_px;
  const auto is_large_picture = [&](const Region& region) {
    return region.kind == RegionKind::picture && double(region.box.area()) >= area;
  };
  if (!page.image || std::none_of(regions.begin(), regions.end(), is_large_picture)) return {};
  const double scale = double(page.width_px) / page.image->width_px();
  std::vector<RuledTable> found;
  const double em = text_size(page);
  for (RuledTable& table : find_ruled_tables(find_ruling_lines(*page.image, scale), em)) {
    const auto has_word = [&](const Word& word) {
      return intersect(word.box, table.box).area() * 2 > word.box.area();
    };
    const bool on_picture = std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
      return is_large_picture(region) &&
             intersect(region.box, table.box).area() * 5 > table.box.area() * 4;
    });
    if (table.box.height() > kHighestRow * em * table.rows || table.rows < kLeastRows ||
        table.columns < kLeastColumns || !on_picture || double(table.box.area()) < area ||
        std::any_of(page.text_layer.begin(), page.text_layer.end(), has_word) ||
        !is_on_paper(*page.image, scale, table.box))
      continue;
    const auto filled = std::count_if(
        table.cells.begin(), table.cells.end(),
        [&](const GridCell& cell) { return is_filled(*page.image, scale, cell.box); });
    if (filled * 3 >= 2 * std::ptrdiff_t(table.cells.size())) found.push_back(std::move(table));
  }
  return found;
}

std::vector<RuledTable> find_worded_tables(const PageInput& page, double em_px) {
  const double scale = double(page.width_px) / page.image->width_px();
  return find_worded_tables(page, find_drawn_lines(*page.image, scale, page.words), em_px);
}

std::vector<RuledTable> find_worded_tables(const PageInput& page, const RulingLines& rules,
                                           double em_px) {
  std::vector<RuledTable> tables = find_ruled_tables(rules, em_px);
  const auto has_words = [&](const GridCell& cell) {
    return std::any_of(page.words.begin(), page.words.end(), [&](const Word& word) {
      return intersect(word.box, cell.box).area() * 2 > word.box.area();
    });
  };
  // The lines and labels of a chart fill one column.
  constexpr int kLeastFilled = 2, kLeastColumns = 2, kLeastHeads = 3, kLeastLabels = 2;
  constexpr int kLeastRows = 3, kLeastBeside = 2;
  std::erase_if(tables, [&](const RuledTable& table) {
    std::vector<int> filled(size_t(table.columns), 0), beside(size_t(table.rows), 0);
    int all = 0, heads = 0, labels = 0;
    for (const GridCell& cell : table.cells)
      if (has_words(cell)) {
        beside[size_t(cell.row)] += cell.column > 0;
        ++filled[size_t(cell.column)], ++all;
        heads += cell.row == 0;
        labels += cell.column == 0 && cell.row > 0;
      }
    const auto columns = std::count_if(filled.begin(), filled.end(),
                                       [](int count) { return count >= kLeastFilled; });
    // A form has the heads of its columns, and labels of its rows.
    const bool form = heads >= kLeastHeads && heads + 1 >= table.columns && labels >= kLeastLabels;
    // Where the other cells hold pictures, each row has a label, and one row has text beside it.
    const bool of_pictures = filled[0] == table.rows && table.rows >= kLeastRows &&
                             *std::max_element(beside.begin(), beside.end()) >= kLeastBeside;
    return !form && !of_pictures &&
           (columns < kLeastColumns || all * 5 < 3 * int(table.cells.size()));
  });
  return tables;
}

bool is_of_table(const Box& drawing, std::span<const RuledTable> tables) {
  return std::any_of(tables.begin(), tables.end(), [&](const RuledTable& table) {
    return intersect(table.box, drawing).area() * 2 >= drawing.area();
  });
}

}  // namespace docspec

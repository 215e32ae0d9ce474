#include "drafts/table/table_regions.h"

#include <algorithm>
#include <cstdlib>

#include "drafts/lines/line_parts.h"
#include "drafts/table/ruled_table.h"
#include "drafts/table/table_finder.h"
#include "drafts/table/table_structure.h"

namespace docspec {
namespace {

class Finder {
 public:
  Finder(const PageInput& page, const std::vector<TextLine>& lines, double body_px)
      : page_(page), lines_(lines), body_px_(body_px), taken_(lines.size(), false) {}

  std::vector<TableRegion> find() {
    if (page_.image && !page_.image->empty()) {
      rules_ = find_ruling_lines(*page_.image, double(page_.width_px) / page_.image->width_px());
      add_grids();
      add_between_rules();
    }
    add_aligned();
    return std::move(tables_);
  }

 private:
  std::vector<int> free_lines_in(const Box& box) const {
    std::vector<int> inside;
    for (int i = 0; i < int(lines_.size()); ++i) {
      const Box& line = lines_[size_t(i)].box;
      const int x = (line.x0 + line.x1) / 2, y = (line.y0 + line.y1) / 2;
      if (!taken_[size_t(i)] && x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1)
        inside.push_back(i);
    }
    return inside;
  }

  void add(std::vector<int> lines, Box box, std::vector<GridCell> cells) {
    for (int i : lines) {
      taken_[size_t(i)] = true;
      box = unite(box, lines_[size_t(i)].box);
    }
    tables_.push_back({std::move(lines), box, std::move(cells)});
  }

  void add_grids() {
    for (RuledTable& table : find_ruled_tables(rules_, body_px_)) {
      std::vector<int> inside = free_lines_in(table.box);
      if (inside.empty()) continue;
      if (page_.words.empty()) {  // a raster that was not read yet: rows come as one line
        const bool grid = table.cells.size() >= 6 && inside.size() >= 2;
        if (grid) add(std::move(inside), table.box, {});
        continue;
      }
      std::vector<Box> words;
      for (int i : inside)
        for (int w : lines_[size_t(i)].words) words.push_back(page_.words[size_t(w)].box);
      // Frames around prose are grids too.
      const bool prose = words.size() > 40 * table.cells.size();
      if (prose || !holds_text(table, words)) continue;
      split_open_rows(table, page_.words);
      add(std::move(inside), table.box, std::move(table.cells));
    }
  }

  /// Text between rules that lie above each other and have one width.
  void add_between_rules() {
    if (page_.words.empty()) return;
    const double em = body_px_;
    std::vector<Box> open = rules_.across;
    std::vector<bool> used(open.size(), false);
    for (size_t i = 0; i < open.size(); ++i) {
      if (used[i] || open[i].width() < 8 * em) continue;
      Box stack = open[i];
      int count = 1;
      for (size_t j = i + 1; j < open.size(); ++j) {
        const bool same = std::abs(open[j].x0 - open[i].x0) < em &&
                          std::abs(open[j].x1 - open[i].x1) < em &&
                          open[j].y0 - stack.y1 < 0.6 * page_.height_px;
        if (!same || used[j]) continue;
        used[j] = true;
        stack = unite(stack, open[j]);
        ++count;
      }
      if (count < 2) continue;
      std::vector<int> inside = free_lines_in(stack);
      if (reads_as_table(inside, stack)) add(std::move(inside), stack, {});
    }
  }

  bool reads_as_table(const std::vector<int>& inside, const Box& stack) const {
    std::vector<TextLine> own;
    size_t chars = 0;
    for (int i : inside) {
      own.push_back(lines_[size_t(i)]);
      chars += own.back().chars;
    }
    if (own.size() < 4 || stack.height() > 0.8 * page_.height_px) return false;
    const auto grid = table_grid(own, page_.words);
    // Columns of prose between two rules of a page have long lines.
    return grid && (grid->columns > 2 || double(chars) / double(own.size()) < 25);
  }

  std::optional<Gutter> gutter() const {
    if (!page_.words.empty()) return find_gutter(page_.words);
    return page_.image && page_.image->width_px() == page_.width_px
               ? find_gutter(*page_.image, page_.lines)
               : std::nullopt;
  }

  void add_aligned() {
    std::vector<TextLine> left;
    std::vector<int> at;
    for (int i = 0; i < int(lines_.size()); ++i)
      if (!taken_[size_t(i)]) {
        left.push_back(lines_[size_t(i)]);
        at.push_back(i);
      }
    for (std::vector<int>& table : find_tables(left, page_.words, page_.width_px, gutter())) {
      for (int& i : table) i = at[size_t(i)];
      add(std::move(table), {}, {});
    }
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const double body_px_;
  RulingLines rules_;
  std::vector<bool> taken_;
  std::vector<TableRegion> tables_;
};

}  // namespace

std::vector<TableRegion> find_table_regions(const PageInput& page,
                                            const std::vector<TextLine>& lines, double body_px) {
  return Finder(page, lines, body_px).find();
}

}  // namespace docspec

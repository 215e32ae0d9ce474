#include "drafts/grid/shaded_rows.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/median.h"
#include "core/page/page_image.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {
namespace {

/// A strip of one light colour, pixels of the image.
struct Shade {
  Box box;
  int level = 0;  ///< the darkest of its channels
};

constexpr int kDarkest = 128, kPaper = 247, kSame = 4;  // levels of a shade
constexpr size_t kLeastRows = 3, kLeastOfMany = 2;  // the latter where others on the page have it

/// What a row of pixels has of a shade: its most frequent light level, from the first to the last
/// pixel of it; empty where it is no third of the row, or does not fill half of that.
class ShadeOfRow {
 public:
  explicit ShadeOfRow(const PageImage& image) : image_(image) {}

  Shade at(int y) {
    constexpr int kSparse = 16, kStep = 2;
    bool any = false;
    for (int x = 0; x < image_.width_px() && !any; x += kSparse) any = is_shade(level(x, y));
    if (!any) return {};
    levels_.fill(0);
    for (int x = 0; x < image_.width_px(); x += kStep) ++levels_[size_t(level(x, y))];
    const auto most = std::max_element(levels_.begin() + kDarkest, levels_.begin() + kPaper);
    const int of_shade = int(most - levels_.begin());
    int first = -1, last = 0, count = 0;
    for (int x = 0; x < image_.width_px(); x += kStep)
      if (std::abs(level(x, y) - of_shade) <= kSame) {
        if (first < 0) first = x;
        last = x;
        ++count;
      }
    if (count * kStep * 3 < image_.width_px() || count * kStep * 2 < last - first) return {};
    return {{first, y, last + 1, y + 1}, of_shade};
  }

 private:
  static bool is_shade(int level) { return level >= kDarkest && level < kPaper; }
  int level(int x, int y) const {
    const uint8_t* rgb = image_.row(y) + size_t(x) * 3;
    return std::min({rgb[0], rgb[1], rgb[2]});
  }

  const PageImage& image_;
  std::array<int, 256> levels_{};
};

bool same_edges(const Box& a, const Box& b, int within) {
  return std::abs(a.x0 - b.x0) <= within && std::abs(a.x1 - b.x1) <= within;
}

/// Strips from the top; thin rules across one do not end it, nor letters at its very edge, which
/// cover that in some rows of pixels.
std::vector<Shade> strips_of(const PageImage& image) {
  constexpr int kLetter = 20, kRule = 4;  // pixels
  ShadeOfRow row(image);
  std::vector<Shade> strips;
  for (int y = 0; y < image.height_px(); ++y) {
    const Shade found = row.at(y);
    if (found.box.empty()) continue;
    Shade* const last = strips.empty() ? nullptr : &strips.back();
    if (last && y - last->box.y1 <= kRule && same_edges(last->box, found.box, kLetter) &&
        std::abs(last->level - found.level) <= kSame)
      last->box = unite(last->box, found.box);
    else
      strips.push_back(found);
  }
  return strips;
}

/// Whether strips are as far apart as they are high, most of them.
bool alternate(const std::vector<Box>& strips) {
  std::vector<int> heights;
  for (const Box& strip : strips) heights.push_back(strip.height());
  const int usual = median(heights);
  size_t alike = 0;
  for (size_t i = 1; i < strips.size(); ++i) {
    const int gap = strips[i].y0 - strips[i - 1].y1;
    alike += gap * 2 > usual && gap < usual * 2;
  }
  return alike * 2 >= strips.size() - 1;
}

/// A row of lines over or under a table.
struct TableRow {
  Box box;
  size_t pieces = 0;
  bool is_text = false;  ///< one of them is far longer than a cell
};

std::vector<TableRow> rows_of(std::span<const TextLine> lines, const Box& table) {
  constexpr double kLong = 0.6;  // share of the table's width
  std::vector<TableRow> rows;
  for (const auto& row : group_rows(lines)) {
    rows.push_back({{}, row.size()});
    for (int i : row) {
      const Box& box = lines[size_t(i)].box;
      rows.back().box = unite(rows.back().box, box);
      rows.back().is_text |= box.width() > kLong * table.width();
    }
  }
  return rows;
}

bool is_within(const Box& row, const Box& table, double em_px) {
  return row.x0 >= table.x0 - em_px && row.x1 <= table.x1 + em_px;
}

}  // namespace

std::vector<std::vector<Box>> find_shaded_rows(const PageInput& page, double em_px) {
  constexpr double kLowest = 0.9, kHighest = 5, kFarthest = 6;  // em
  if (!page.image || page.image->empty()) return {};
  const double scale = double(page.width_px) / page.image->width_px();
  std::vector<std::vector<Box>> stacks;
  std::vector<int> levels;
  for (const Shade& strip : strips_of(*page.image)) {
    const Box box{int(strip.box.x0 * scale), int(strip.box.y0 * scale), int(strip.box.x1 * scale),
                  int(strip.box.y1 * scale)};
    if (box.height() < kLowest * em_px || box.height() > kHighest * em_px) continue;
    const bool goes_on = !stacks.empty() && std::abs(levels.back() - strip.level) <= kSame &&
                         same_edges(stacks.back().back(), box, int(em_px / 2)) &&
                         box.y0 - stacks.back().back().y1 < kFarthest * em_px;
    if (!goes_on) stacks.emplace_back(), levels.push_back(strip.level);
    stacks.back().push_back(box);
  }
  std::erase_if(stacks,
                [](const auto& stack) { return stack.size() < kLeastOfMany || !alternate(stack); });
  std::vector<Box> known;  // a row of each stack that is high enough
  for (const auto& stack : stacks)
    if (stack.size() >= kLeastRows) known.push_back(stack.front());
  std::erase_if(stacks, [&](const auto& stack) {
    return std::none_of(known.begin(), known.end(), [&](const Box& row) {
      return same_edges(row, stack.front(), int(em_px / 2));
    });
  });
  return stacks;
}

Box shaded_table(const std::vector<Box>& shades, std::span<const TextLine> above,
                 std::span<const TextLine> below, double em_px) {
  constexpr double kNearRow = 2, kNearLine = 0.5, kNearEnd = 0.8;  // em
  constexpr double kLabel = 0.5;                                   // of the width
  Box table;
  for (const Box& shade : shades) table = unite(table, shade);
  std::vector<TableRow> rows = rows_of(above, table);
  std::reverse(rows.begin(), rows.end());
  bool heads = false;
  for (const TableRow& row : rows) {
    const double gap = table.y0 - row.box.y1;
    // Above the first shade a label may stand alone, as its row without shade.
    const bool label = row.box.x0 - table.x0 < em_px && row.box.width() < kLabel * table.width();
    const bool near =
        row.pieces > 1 ? gap < kNearRow * em_px : (heads || label) && gap < kNearLine * em_px;
    if (row.is_text || !near || !is_within(row.box, table, em_px)) break;
    table = unite(table, row.box);
    heads |= row.pieces > 1;
  }
  const std::vector<TableRow> ends = rows_of(below, table);
  if (!ends.empty() && ends.front().pieces > 1 && !ends.front().is_text &&
      ends.front().box.y0 - table.y1 < std::max(kNearEnd * em_px, shades.back().height() / 2.0) &&
      ends.front().box.height() < 2 * shades.back().height() &&
      is_within(ends.front().box, table, em_px))
    table = unite(table, ends.front().box);
  return table;
}

}  // namespace docspec

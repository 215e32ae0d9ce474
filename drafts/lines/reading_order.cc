#include "drafts/lines/reading_order.h"

#include <algorithm>
#include <climits>
#include <numeric>
#include <utility>

namespace docspec {
namespace {

/// Runs of boxes along one axis, separated by gaps of at least `min_gap`. Boxes come out in order.
std::vector<std::vector<int>> split_along(std::span<const Box> boxes, std::vector<int> items,
                                          bool along_y, double min_gap) {
  const auto from = [&](int i) { return along_y ? boxes[i].y0 : boxes[i].x0; };
  const auto to = [&](int i) { return along_y ? boxes[i].y1 : boxes[i].x1; };
  std::stable_sort(items.begin(), items.end(), [&](int a, int b) { return from(a) < from(b); });
  std::vector<std::vector<int>> runs;
  int end = 0;
  for (int i : items) {
    if (runs.empty() || from(i) - end >= min_gap) runs.emplace_back();
    if (runs.back().empty()) end = to(i);
    runs.back().push_back(i);
    end = std::max(end, to(i));
  }
  return runs;
}

class XyCut {
 public:
  XyCut(std::span<const Box> boxes, double em, std::span<const Box> walls)
      : boxes_(boxes), em_(em), walls_(walls) {}

  void read(const std::vector<int>& items, std::vector<int>& order) const {
    if (items.size() <= 1) {
      order.insert(order.end(), items.begin(), items.end());
      return;
    }
    // Line boxes include room for accents and may overlap a little.
    const auto bands = split_along(boxes_, items, true, -0.25 * em_);
    if (const auto parts = around_wall(bands); !parts.empty()) {
      for (const auto& part : parts) read(part, order);
      return;
    }
    if (const auto columns = split_columns(items); columns.size() > 1) {
      if (const std::vector<int> rest = below_head(items, bands); !rest.empty()) {
        read(bands.front(), order);
        return read(rest, order);
      }
      for (const auto& column : columns) read(column, order);
      return;
    }
    if (bands.size() == 1) return read_rows(items, order);
    // Neighbouring bands that share a gutter are the columns of one text.
    for (size_t first = 0; first < bands.size();) {
      std::vector<int> group = bands[first], grown = group;
      size_t last = first + 1;
      for (size_t next = last; next < bands.size(); ++next) {
        grown.insert(grown.end(), bands[next].begin(), bands[next].end());
        if (split_columns(grown).size() > 1)
          group = grown, last = next + 1;
        else if (const auto parts = split_along(boxes_, grown, false, 0.5 * em_);
                 parts.size() < 2 || stand_apart(parts))
          break;  // else the bands below may show that a single line opens a column
      }
      if (last < bands.size() && last > first + 1 && heads_next(bands, last - 1)) {
        --last;
        group.resize(group.size() - bands[last].size());
      }
      if (last == first + 1 && split_columns(group).size() < 2)
        read_rows(group, order);
      else
        read(group, order);
      first = last;
    }
  }

 private:
  /// Whether one thing of a band lies across x.
  bool crosses(const std::vector<int>& band, int x) const {
    return std::any_of(band.begin(), band.end(),
                       [&](int i) { return boxes_[i].x0 < x && boxes_[i].x1 > x; });
  }

  Box box_of_all(const std::vector<int>& items) const {
    Box box;
    for (int i : items) box = unite(box, boxes_[i]);
    return box;
  }

  /// The bands on both sides of a wall: those along it, and their neighbours as far as none crosses
  /// it and each is near. {0, 0} where one along it crosses it, or has nothing on one side.
  std::pair<size_t, size_t> along(const Box& wall,
                                  const std::vector<std::vector<int>>& bands) const {
    constexpr double kNear = 1.5;  // em
    size_t first = bands.size(), end = 0;
    bool left = false, right = false;
    for (size_t k = 0; k < bands.size(); ++k)
      for (int i : bands[k]) {
        if (boxes_[i].y0 >= wall.y1 || boxes_[i].y1 <= wall.y0) continue;
        first = std::min(first, k), end = k + 1;
        (boxes_[i].x1 <= wall.x0 ? left : right) = true;
      }
    if (!left || !right) return {0, 0};
    for (size_t k = first; k < end; ++k)
      if (crosses(bands[k], wall.x0)) return {0, 0};
    const auto joins = [&](size_t above, size_t below, size_t next) {
      return !crosses(bands[next], wall.x0) &&
             box_of_all(bands[below]).y0 - box_of_all(bands[above]).y1 < kNear * em_;
    };
    const size_t last = end - 1;
    while (first > 0 && joins(first - 1, first, first - 1)) --first;
    while (end < bands.size() && joins(end - 1, end, end)) ++end;
    while (end < bands.size() && end - 1 > last && heads_next(bands, end - 1)) --end;
    return {first, end};
  }

  /// What stands above the columns on both sides of a wall, left of it, right of it, and below
  /// them; nothing where no wall parts the bands.
  std::vector<std::vector<int>> around_wall(const std::vector<std::vector<int>>& bands) const {
    for (const Box& wall : walls_) {
      const auto [first, end] = along(wall, bands);
      if (first == end) continue;
      std::vector<std::vector<int>> parts(4);
      for (size_t k = 0; k < bands.size(); ++k)
        for (int i : bands[k])
          parts[k < first ? 0 : k >= end ? 3 : boxes_[i].x1 <= wall.x0 ? 1 : 2].push_back(i);
      std::erase_if(parts, [](const auto& part) { return part.empty(); });
      return parts;
    }
    return {};
  }

  /// Of items in columns, what stands below the first band where this alone crosses the gutter of
  /// whole columns, and some of it would be taken for what stands in a gutter; empty elsewhere.
  std::vector<int> below_head(const std::vector<int>& items,
                              const std::vector<std::vector<int>>& bands) const {
    const bool whole = split_along(boxes_, items, false, 0.5 * em_).size() > 1;
    if (bands.size() < 2 || whole) return {};
    std::vector<int> rest;
    for (size_t k = 1; k < bands.size(); ++k)
      rest.insert(rest.end(), bands[k].begin(), bands[k].end());
    const bool columns = split_along(boxes_, rest, false, 0.5 * em_).size() > 1;
    return columns && split_columns(rest).size() > 1 ? rest : std::vector<int>();
  }

  /// Columns from left to right, then what stands in their gutter with text around it; one run when
  /// the items have no gutter or are mere rows.
  std::vector<std::vector<int>> split_columns(const std::vector<int>& items) const {
    auto columns = split_along(boxes_, items, false, 0.5 * em_);
    std::vector<int> floats, rest;
    if (columns.size() < 2) {
      for (int i : items) (has_text_around(i, items) ? floats : rest).push_back(i);
      if (floats.empty()) return columns;
      columns = split_along(boxes_, rest, false, 0.5 * em_);
    }
    const auto has_text = [&](const std::vector<int>& column) {
      const auto lines = std::count_if(column.begin(), column.end(), [&](int i) { return two(i); });
      return lines > 1 || std::any_of(column.begin(), column.end(), [&](int i) { return tall(i); });
    };
    if (std::count_if(columns.begin(), columns.end(), has_text) < 2 || stand_apart(columns))
      return {items};
    if (!floats.empty()) columns.push_back(std::move(floats));
    return columns;
  }

  /// Whether no column reaches to the height of another: a title in the middle and the heading at
  /// the left below it.
  bool stand_apart(const std::vector<std::vector<int>>& columns) const {
    std::vector<Box> all;
    for (const auto& column : columns) {
      Box box;
      for (int i : column) box = unite(box, boxes_[i]);
      const bool level = std::any_of(all.begin(), all.end(), [&](const Box& other) {
        return other.y0 < box.y1 && box.y0 < other.y1;
      });
      if (level) return false;
      all.push_back(box);
    }
    return true;
  }

  /// Whether a band is one row of lines that stands nearer to the next band than to the one before:
  /// the heading or caption of what spans the columns below it, or the headings of these.
  bool heads_next(const std::vector<std::vector<int>>& bands, size_t at) const {
    if (std::any_of(bands[at].begin(), bands[at].end(), [&](int i) { return tall(i); }))
      return false;
    const Box line = box_of_all(bands[at]);
    int bottom = 0, top = INT_MAX;
    for (int i : bands[at - 1]) bottom = std::max(bottom, boxes_[i].y1);
    for (int i : bands[at + 1]) top = std::min(top, boxes_[i].y0);
    return line.y0 - bottom > 1.5 * (top - line.y1);
  }

  bool tall(int i) const { return boxes_[i].height() > 2.2 * em_; }
  bool two(int i) const { return boxes_[i].height() > 1.8 * em_; }  ///< lines, or more

  /// Whether tall items reach further to the left and others further to the right along most of an
  /// item's height: a picture, or a line of its caption, that two columns make room for.
  bool has_text_around(int item, const std::vector<int>& items) const {
    constexpr double kMost = 0.7;
    const Box& box = boxes_[item];
    const double reach = 2 * em_;
    int left = 0, right = 0;
    for (int i : items) {
      const Box& other = boxes_[i];
      const int shared = std::min(box.y1, other.y1) - std::max(box.y0, other.y0);
      if (i == item || shared <= 0 || !tall(i)) continue;
      const bool from_left = other.x0<box.x0 - reach, to_right = other.x1> box.x1 + reach;
      if (from_left && !to_right) left += shared;
      if (to_right && !from_left) right += shared;
    }
    return std::min(left, right) >= kMost * box.height();
  }

  /// Whether `a` is read before `b` where no straight cut parts columns: above it, or at its left
  /// without a box between their heights that reaches over both. [Breuel, High performance document
  /// layout analysis, 2003]
  bool precedes(int a, int b, const std::vector<int>& items) const {
    constexpr double kCommon = 0.25;  // of the narrower one: columns of a scan are askew
    const auto common = [&](const Box& p, const Box& q) {
      return std::min(p.x1, q.x1) - std::max(p.x0, q.x0) > kCommon * std::min(p.width(), q.width());
    };
    const auto middle = [](const Box& box) { return box.y0 + box.y1; };
    const Box &first = boxes_[a], &second = boxes_[b];
    if (common(first, second)) return middle(first) < middle(second);
    if (first.x0 + first.x1 > second.x0 + second.x1) return false;
    const int top = std::min(middle(first), middle(second));
    const int bottom = std::max(middle(first), middle(second));
    return std::none_of(items.begin(), items.end(), [&](int i) {
      const Box& box = boxes_[i];
      return i != a && i != b && middle(box) > top && middle(box) < bottom && common(box, first) &&
             common(box, second);
    });
  }

  /// Columns of paragraphs that stand askew or touch each other, so that no straight cut parts
  /// them.
  void read_columns(std::vector<int> items, std::vector<int>& order) const {
    std::stable_sort(items.begin(), items.end(),
                     [&](int a, int b) { return boxes_[a].y0 < boxes_[b].y0; });
    std::vector<size_t> before(items.size(), 0);  // how many are read before it
    std::vector<std::vector<size_t>> later(items.size());
    for (size_t i = 0; i < items.size(); ++i)
      for (size_t k = 0; k < items.size(); ++k)
        if (k != i && precedes(items[k], items[i], items)) ++before[i], later[k].push_back(i);
    std::vector<bool> read(items.size(), false);
    for (size_t done = 0; done < items.size(); ++done) {
      size_t next = items.size();
      for (size_t i = 0; i < items.size(); ++i)
        if (!read[i] && (next == items.size() || before[i] < before[next])) next = i;
      read[next] = true;
      order.push_back(items[next]);
      for (const size_t i : later[next]) --before[i];
    }
  }

  /// Boxes without a straight cut, or pieces of one row: by rows, from the left.
  void read_rows(std::vector<int> items, std::vector<int>& order) const {
    constexpr int kParagraphs = 4;
    if (std::count_if(items.begin(), items.end(), [&](int i) { return tall(i); }) >= kParagraphs)
      return read_columns(std::move(items), order);
    constexpr double kSameRow = 0.75;  // sizes
    std::stable_sort(items.begin(), items.end(),
                     [&](int a, int b) { return boxes_[a].y0 < boxes_[b].y0; });
    for (auto row = items.begin(); row != items.end();) {
      const double end = boxes_[*row].y0 + kSameRow * em_;
      const auto next = std::find_if(row, items.end(), [&](int i) { return boxes_[i].y0 >= end; });
      std::stable_sort(row, next, [&](int a, int b) { return boxes_[a].x0 < boxes_[b].x0; });
      row = next;
    }
    // What stands above another, as a caption over a table that begins a little left of it.
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 1; i < items.size(); ++i)
        if (stands_above(boxes_[items[i]], boxes_[items[i - 1]])) {
          std::swap(items[i], items[i - 1]);
          again = true;
        }
    }
    order.insert(order.end(), items.begin(), items.end());
  }

  /// Whether `a` begins and has its middle above `b`, and shares most of the width of one of them.
  static bool stands_above(const Box& a, const Box& b) {
    const int common = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
    return a.y0 < b.y0 && a.y0 + a.y1 < 2 * b.y0 && 2 * common > std::min(a.width(), b.width());
  }

  std::span<const Box> boxes_;
  double em_;
  std::span<const Box> walls_;
};

}  // namespace

std::vector<int> reading_order(std::span<const Box> boxes, double em_px,
                               std::span<const Box> walls) {
  std::vector<int> items(boxes.size()), order;
  std::iota(items.begin(), items.end(), 0);
  XyCut(boxes, std::max(1.0, em_px), walls).read(items, order);
  return order;
}

}  // namespace docspec

#include "drafts/ocr/ppocr/text_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>

#include "core/base/median.h"

namespace docspec::ppocr {
namespace {

struct Point {
  double x = 0, y = 0;
};

/// Text pixels, each grown to the right and downwards by one as [rapidocr] does.
std::vector<uint8_t> text_pixels(const float* map, int width, int height, float threshold) {
  std::vector<uint8_t> out(size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const size_t at = size_t(y) * width + x;
      if (!(map[at] > threshold)) continue;
      out[at] = 1;
      if (x + 1 < width) out[at + 1] = 1;
      if (y + 1 < height) out[at + width] = 1;
      if (x + 1 < width && y + 1 < height) out[at + width + 1] = 1;
    }
  return out;
}

/// Takes the pixels that hang together with `start`, also over corners, out of the map.
std::vector<size_t> take_area(std::vector<uint8_t>& pixels, int width, int height, size_t start) {
  std::vector<size_t> area = {start};
  pixels[start] = 0;
  for (size_t i = 0; i < area.size(); ++i) {
    const int x = int(area[i] % width), y = int(area[i] / width);
    for (int ny = std::max(0, y - 1); ny <= std::min(height - 1, y + 1); ++ny)
      for (int nx = std::max(0, x - 1); nx <= std::min(width - 1, x + 1); ++nx) {
        const size_t next = size_t(ny) * width + nx;
        if (!pixels[next]) continue;
        pixels[next] = 0;
        area.push_back(next);
      }
  }
  return area;
}

/// The first and last column of each of an area's rows; with `down` those rows of each column.
std::map<int, std::pair<int, int>> extents(const std::vector<size_t>& area, int width, bool down) {
  std::map<int, std::pair<int, int>> out;
  for (const size_t at : area) {
    const int x = int(at % width), y = int(at / width);
    const int along = down ? y : x;
    auto& [first, last] = out.try_emplace(down ? x : y, along, along).first->second;
    first = std::min(first, along);
    last = std::max(last, along);
  }
  return out;
}

/// The ends of an area's rows.
std::vector<Point> row_ends(const std::vector<size_t>& area, int width) {
  std::vector<Point> points;
  for (const auto& [y, ends] : extents(area, width, false)) {
    points.push_back({double(ends.first), double(y)});
    if (ends.second > ends.first) points.push_back({double(ends.second), double(y)});
  }
  return points;
}

/// The columns at an end of an area that are far higher than most, and the others: a capital of
/// several lines and the line that it begins. Empty where there are none.
std::vector<std::vector<size_t>> parts_by_height(const std::vector<size_t>& area, int width) {
  constexpr int kHigher = 2;
  const auto columns = extents(area, width, true);
  std::vector<int> heights;
  for (const auto& [x, ends] : columns) heights.push_back(ends.second - ends.first + 1);
  const int usual = median(std::move(heights));
  std::map<int, size_t> part_of;  // the columns hang together
  size_t count = 0;
  bool was_high = false;
  for (const auto& [x, ends] : columns) {
    const bool high = ends.second - ends.first + 1 > kHigher * usual;
    count += count == 0 || high != was_high;
    was_high = high;
    part_of[x] = count - 1;
  }
  if (count != 2) return {};
  std::vector<std::vector<size_t>> parts(2);
  for (const size_t at : area) parts[part_of[int(at % width)]].push_back(at);
  return parts;
}

/// The lines of an area: rows next to each other that are at least a quarter as full as its
/// fullest. What joins or hangs on them, as the indices of formulas do, is left out.
std::vector<std::vector<size_t>> full_rows(const std::vector<size_t>& area, int width) {
  std::map<int, std::vector<size_t>> rows;
  for (const size_t at : area) rows[int(at / size_t(width))].push_back(at);
  size_t most = 0;
  for (const auto& [y, row] : rows) most = std::max(most, row.size());
  std::vector<std::vector<size_t>> lines;
  bool was_full = false;
  for (const auto& [y, row] : rows) {
    const bool full = 4 * row.size() >= most;
    if (full && !was_full) lines.emplace_back();
    if (full) lines.back().insert(lines.back().end(), row.begin(), row.end());
    was_full = full;
  }
  return lines;
}

double cross(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// [Andrew 1979] monotone chain.
std::vector<Point> convex_hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  const auto add = [&](const Point& point, size_t least) {
    while (hull.size() >= least + 2 && cross(hull[hull.size() - 2], hull.back(), point) <= 0)
      hull.pop_back();
    hull.push_back(point);
  };
  for (const Point& point : points) add(point, 0);
  const size_t lower = hull.size() - 1;
  for (auto it = points.rbegin() + 1; it != points.rend(); ++it) add(*it, lower);
  hull.pop_back();
  return hull;
}

/// The rectangle along one direction that holds the points.
LineBox rectangle_along(const std::vector<Point>& points, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  double u0 = 1e9, u1 = -1e9, v0 = 1e9, v1 = -1e9;
  for (const Point& p : points) {
    const double u = p.x * c + p.y * s, v = p.y * c - p.x * s;
    u0 = std::min(u0, u), u1 = std::max(u1, u);
    v0 = std::min(v0, v), v1 = std::max(v1, v);
  }
  const double u = (u0 + u1) / 2, v = (v0 + v1) / 2;
  return {u * c - v * s, u * s + v * c, u1 - u0, v1 - v0, angle, 0};
}

/// The smallest one: a side of it lies along a side of the hull.
LineBox smallest_rectangle(const std::vector<Point>& hull) {
  LineBox best = rectangle_along(hull, 0);
  for (size_t i = 0; i < hull.size(); ++i) {
    const Point &a = hull[i], &b = hull[(i + 1) % hull.size()];
    double angle = std::atan2(b.y - a.y, b.x - a.x);
    constexpr double kQuarter = std::numbers::pi / 2;
    angle -= kQuarter * std::round(angle / kQuarter);
    const LineBox box = rectangle_along(hull, angle);
    if (box.width * box.height < best.width * best.height - 1e-9) best = box;
  }
  return best;
}

/// The bend of an area, whose rectangle is `box`, and which is more wide than high.
LineBend bend_of(const std::vector<size_t>& area, int width, const LineBox& box) {
  const double c = std::cos(box.angle), s = std::sin(box.angle);
  std::map<int, TextColumn> columns;
  for (const size_t at : area) {
    const double x = double(at % size_t(width)) - box.x, y = double(at / size_t(width)) - box.y;
    const double u = x * c + y * s, v = y * c - x * s;
    TextColumn& column = columns.try_emplace(int(std::lround(u)), u, v, v).first->second;
    column.top = std::min(column.top, v), column.bottom = std::max(column.bottom, v);
  }
  std::vector<TextColumn> list;
  for (const auto& [u, column] : columns) list.push_back(column);
  return find_bend(list, box.height);
}

/// Inside a rectangle, or of a line on bent paper along it.
double mean_inside(const float* map, int width, int height, const LineBox& box) {
  const double half = thickness_of(box) / 2;
  const double c = std::cos(box.angle), s = std::sin(box.angle);
  const double reach_x = (std::abs(box.width * c) + std::abs(box.height * s)) / 2;
  const double reach_y = (std::abs(box.width * s) + std::abs(box.height * c)) / 2;
  double sum = 0;
  int64_t count = 0;
  for (int y = std::max(0, int(std::floor(box.y - reach_y)));
       y <= std::min(height - 1, int(std::ceil(box.y + reach_y))); ++y)
    for (int x = std::max(0, int(std::floor(box.x - reach_x)));
         x <= std::min(width - 1, int(std::ceil(box.x + reach_x))); ++x) {
      const double u = (x - box.x) * c + (y - box.y) * s, v = (y - box.y) * c - (x - box.x) * s;
      if (std::abs(u) > box.width / 2 + 0.5) continue;
      if (std::abs(v - box.bend.across_at(u)) > half + 0.5) continue;
      sum += map[size_t(y) * width + x];
      ++count;
    }
  return count > 0 ? sum / double(count) : 0;
}

/// Lines of a map as find_lines() describes them; without `bends` each is straight.
std::vector<LineBox> lines_of(const float* map, int width, int height,
                              const TextMapOptions& options, bool bends) {
  std::vector<uint8_t> pixels = text_pixels(map, width, height, options.threshold);
  std::vector<LineBox> out;
  /// False where the area does not fill its rectangle.
  const auto add = [&](const std::vector<size_t>& area) {
    LineBox box = smallest_rectangle(convex_hull(row_ends(area, width)));
    if (std::min(box.width, box.height) < options.least_side) return true;
    if (bends && box.width > box.height) box.bend = bend_of(area, width, box);
    box.score = mean_inside(map, width, height, box);
    if (box.score < options.least_score) return false;
    const double thickness = thickness_of(box);
    const double grow = box.width * thickness * options.unclip / (2 * (box.width + thickness));
    box.width += 2 * grow;
    box.height += 2 * grow;
    box.bend.thickness += 2 * grow;
    if (std::min(box.width, box.height) >= options.least_side + 2) out.push_back(box);
    return true;
  };
  for (size_t at = 0; at < pixels.size(); ++at) {
    if (!pixels[at]) continue;
    const std::vector<size_t> area = take_area(pixels, width, height, at);
    if (add(area)) continue;
    std::vector<std::vector<size_t>> parts = parts_by_height(area, width);
    if (parts.empty()) parts = full_rows(area, width);
    for (const std::vector<size_t>& part : parts) add(part);
  }
  return out;
}

/// Whether the paper bends: over a third of a page's long lines do. Lines with formulas seem bent,
/// too, and small ones of worn type.
bool bends_lines(const std::vector<LineBox>& lines) {
  constexpr double kLong = 6, kShare = 0.35;  // thicknesses; of the long lines
  constexpr std::ptrdiff_t kLeast = 20;
  const auto longer = std::count_if(lines.begin(), lines.end(), [](const LineBox& line) {
    return line.width > kLong * thickness_of(line);
  });
  const auto bent = std::count_if(lines.begin(), lines.end(), is_bent);
  return longer >= kLeast && double(bent) > kShare * double(longer);
}

}  // namespace

bool is_bent(const LineBox& line) {
  return !line.bend.knots.empty();
}

double thickness_of(const LineBox& line) {
  return is_bent(line) ? line.bend.thickness : line.height;
}

std::vector<LineBox> find_lines(const float* map, int width, int height,
                                const TextMapOptions& options) {
  std::vector<LineBox> lines = lines_of(map, width, height, options, true);
  if (bends_lines(lines) || std::none_of(lines.begin(), lines.end(), is_bent)) return lines;
  return lines_of(map, width, height, options, false);
}

}  // namespace docspec::ppocr

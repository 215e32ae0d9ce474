#include "core/page/ink_map.h"

#include <algorithm>
#include <cmath>

namespace docspec {

InkMap::InkMap(const PageImage& image, double scale) {
  constexpr int kInkLevel = 235;  // paler than this is paper, also on scans
  const int cell = std::max(1, int(std::lround(image.dpi() * 3 / 72)));
  cell_px_ = cell * scale;
  columns_ = (image.width_px() + cell - 1) / cell;
  rows_ = (image.height_px() + cell - 1) / cell;
  ink_.assign(size_t(columns_) * rows_, 0);
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* rgb = image.row(y);
    uint8_t* cells = ink_.data() + size_t(y / cell) * columns_;
    for (int x = 0; x < image.width_px(); ++x, rgb += 3)
      if (std::min({rgb[0], rgb[1], rgb[2]}) < kInkLevel) cells[x / cell] = 1;
  }
}

bool InkMap::blank() const {
  return std::find(ink_.begin(), ink_.end(), 1) == ink_.end();
}

double InkMap::share() const {
  return double(std::count(ink_.begin(), ink_.end(), 1)) / double(std::max<size_t>(1, ink_.size()));
}

double InkMap::share(const Box& box) const {
  const Box c = cells(box, 0);
  int ink = 0;
  for (int y = c.y0; y < c.y1; ++y)
    for (int x = c.x0; x < c.x1; ++x) ink += ink_[size_t(y) * columns_ + x];
  return box.empty() || c.empty() ? 0 : double(ink) / double(c.area());
}

Box InkMap::cells(const Box& box, int grow) const {
  const auto cell = [&](double v) { return int(std::floor(v / cell_px_)); };
  return intersect({cell(box.x0) - grow, cell(box.y0) - grow, cell(box.x1 - 1) + 1 + grow,
                    cell(box.y1 - 1) + 1 + grow},
                   {0, 0, columns_, rows_});
}

void InkMap::erase(std::span<const Box> boxes) {
  for (const Box& box : boxes) {
    const Box c = cells(box, 1);
    for (int y = c.y0; y < c.y1; ++y)
      for (int x = c.x0; x < c.x1; ++x) ink_[size_t(y) * columns_ + x] = 0;
  }
}

double InkMap::core_fill(const Box& box) const {
  const Box core{box.x0 + 2, box.y0 + 2, box.x1 - 2, box.y1 - 2};
  if (core.empty()) return 1;
  int64_t count = 0;
  for (int y = core.y0; y < core.y1; ++y)
    for (int x = core.x0; x < core.x1; ++x) count += ink_[size_t(y) * columns_ + x];
  return double(count) / double(core.area());
}

std::vector<InkMap::Piece> InkMap::pieces() const {
  constexpr int kReach = 3;  // joins cells with up to two empty ones between
  std::vector<uint8_t> left = ink_;
  std::vector<Piece> pieces;
  std::vector<int> stack;
  for (int start = 0; start < int(left.size()); ++start) {
    if (!left[start]) continue;
    Box box;
    int count = 0;
    stack.push_back(start);
    left[start] = 0;
    while (!stack.empty()) {
      const int at = stack.back(), x = at % columns_, y = at / columns_;
      stack.pop_back();
      box = unite(box, {x, y, x + 1, y + 1});
      ++count;
      for (int v = std::max(0, y - kReach); v <= std::min(rows_ - 1, y + kReach); ++v)
        for (int u = std::max(0, x - kReach); u <= std::min(columns_ - 1, x + kReach); ++u)
          if (uint8_t& cell = left[size_t(v) * columns_ + u]) {
            cell = 0;
            stack.push_back(v * columns_ + u);
          }
    }
    const auto px = [&](int cell) { return int(std::lround(cell * cell_px_)); };
    pieces.push_back({{px(box.x0), px(box.y0), px(box.x1), px(box.y1)},
                      count / double(box.area()),
                      core_fill(box)});
  }
  return pieces;
}

std::vector<InkMap::Piece> InkMap::pieces_beside(std::span<const Box> boxes) const {
  InkMap rest = *this;
  rest.erase(boxes);
  return rest.pieces();
}

}  // namespace docspec

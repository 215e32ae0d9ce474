#include "core/page/page_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace docspec {

Box intersect(const Box& a, const Box& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

Box unite(const Box& a, const Box& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

double iou(const Box& a, const Box& b) {
  const int64_t shared = intersect(a, b).area();
  const int64_t all = a.area() + b.area() - shared;
  return all == 0 ? 0 : double(shared) / double(all);
}

bool holds_middle(const Box& box, const Box& of) {
  const int x = (of.x0 + of.x1) / 2, y = (of.y0 + of.y1) / 2;
  return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
}

Box pad(const Box& box, int margin_px, int width_px, int height_px) {
  return intersect({box.x0 - margin_px, box.y0 - margin_px, box.x1 + margin_px, box.y1 + margin_px},
                   {0, 0, width_px, height_px});
}

Box in_image(const Box& box, double scale) {
  const auto px = [&](int v) { return int(v / scale); };
  return {px(box.x0), px(box.y0), px(box.x1), px(box.y1)};
}

PageImage::PageImage(int page, int width_px, int height_px, double dpi)
    : page_(page), width_px_(width_px), height_px_(height_px), dpi_(dpi) {
  if (width_px <= 0 || height_px <= 0 || !(dpi > 0))
    throw std::invalid_argument("PageImage: sides and dpi must be positive");
  rgb_.assign(size_t(width_px) * height_px * 3, 255);
}

PageImage PageImage::crop(const Box& box) const {
  const Box b = intersect(box, {0, 0, width_px_, height_px_});
  if (b.empty()) throw std::invalid_argument("PageImage::crop: the box lies outside the page");
  PageImage out(page_, b.width(), b.height(), dpi_);
  for (int y = 0; y < b.height(); ++y)
    std::memcpy(out.row(y), row(b.y0 + y) + size_t(b.x0) * 3, size_t(b.width()) * 3);
  return out;
}

PointBox PageImage::to_points(const Box& box) const {
  const double s = 72.0 / dpi_;
  return {box.x0 * s, box.y0 * s, box.x1 * s, box.y1 * s};
}

Box PageImage::to_pixels(const PointBox& box) const {
  const double s = dpi_ / 72.0;
  const auto px = [s](double pt) { return int(std::lround(pt * s)); };
  return {px(box.x0), px(box.y0), px(box.x1), px(box.y1)};
}

}  // namespace docspec

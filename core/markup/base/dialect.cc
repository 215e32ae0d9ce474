#include "core/markup/base/dialect.h"

#include <cmath>

namespace docspec {

Box PageFrame::to_frame(const PointBox& box) const {
  const double sx = width_pt > 0 ? width_px / width_pt : 0;
  const double sy = height_pt > 0 ? height_px / height_pt : 0;
  const auto px = [](double v) { return int(std::lround(v)); };
  return {px(box.x0 * sx), px(box.y0 * sy), px(box.x1 * sx), px(box.y1 * sy)};
}

PointBox PageFrame::to_points(const Box& box) const {
  const double sx = width_px > 0 ? width_pt / width_px : 0;
  const double sy = height_px > 0 ? height_pt / height_px : 0;
  return {box.x0 * sx, box.y0 * sy, box.x1 * sx, box.y1 * sy};
}

}  // namespace docspec

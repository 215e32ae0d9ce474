#include "core/page/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace docspec {
namespace {

/// Turns a point about the middle of a page, clockwise as seen.
struct Turn {
  Turn(double degrees, int width_px, int height_px)
      : cos(std::cos(degrees * std::numbers::pi / 180)),
        sin(std::sin(degrees * std::numbers::pi / 180)),
        middle_x((width_px - 1) / 2.0),
        middle_y((height_px - 1) / 2.0) {}
  double x(double px, double py) const {
    return middle_x + (px - middle_x) * cos - (py - middle_y) * sin;
  }
  double y(double px, double py) const {
    return middle_y + (px - middle_x) * sin + (py - middle_y) * cos;
  }
  double cos, sin, middle_x, middle_y;
};

}  // namespace

PageImage rotate(const PageImage& image, double degrees) {
  const int w = image.width_px(), h = image.height_px();
  PageImage out(image.page(), w, h, image.dpi());
  const Turn back(-degrees, w, h);
  for (int y = 0; y < h; ++y) {
    uint8_t* to = out.row(y);
    for (int x = 0; x < w; ++x, to += 3) {
      const double from_x = back.x(x, y), from_y = back.y(x, y);
      const int x0 = int(std::floor(from_x)), y0 = int(std::floor(from_y));
      if (x0 < 0 || y0 < 0 || x0 + 1 >= w || y0 + 1 >= h) {
        to[0] = to[1] = to[2] = 255;
        continue;
      }
      const int right = int((from_x - x0) * 256), low = int((from_y - y0) * 256);
      const uint8_t *upper = image.row(y0) + size_t(x0) * 3,
                    *lower = image.row(y0 + 1) + size_t(x0) * 3;
      for (int c = 0; c < 3; ++c) {
        const int a = upper[c] * (256 - right) + upper[c + 3] * right;
        const int b = lower[c] * (256 - right) + lower[c + 3] * right;
        to[c] = uint8_t((a * (256 - low) + b * low) >> 16);
      }
    }
  }
  return out;
}

Box rotate(const Box& box, double degrees, int width_px, int height_px) {
  const Turn turn(degrees, width_px, height_px);
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (const int x : {box.x0, box.x1})
    for (const int y : {box.y0, box.y1}) {
      x0 = std::min(x0, turn.x(x, y)), x1 = std::max(x1, turn.x(x, y));
      y0 = std::min(y0, turn.y(x, y)), y1 = std::max(y1, turn.y(x, y));
    }
  return intersect(
      {int(std::floor(x0)), int(std::floor(y0)), int(std::ceil(x1)), int(std::ceil(y1))},
      {0, 0, width_px, height_px});
}

Box unrotate(const Box& box, double degrees, int width_px, int height_px) {
  const Turn back(-degrees, width_px, height_px);
  const double c = std::abs(back.cos), s = std::abs(back.sin), wide = box.width(),
               high = box.height();
  // wide = w c + h s, high = w s + h c
  const double w = std::max(1.0, (wide * c - high * s) / (c * c - s * s));
  const double h = std::max(1.0, (high * c - wide * s) / (c * c - s * s));
  const double x = (box.x0 + box.x1) / 2.0, y = (box.y0 + box.y1) / 2.0;
  const double middle_x = back.x(x, y), middle_y = back.y(x, y);
  return intersect({int(std::floor(middle_x - w / 2)), int(std::floor(middle_y - h / 2)),
                    int(std::ceil(middle_x + w / 2)), int(std::ceil(middle_y + h / 2))},
                   {0, 0, width_px, height_px});
}

}  // namespace docspec

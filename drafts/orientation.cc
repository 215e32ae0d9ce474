#include "drafts/orientation.h"

#include <allheaders.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "drafts/pix_ptr.h"

namespace docspec {
namespace {

constexpr int kDark = 160;

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

int quarter_turns_to_upright(const PageImage& image) {
  const PixPtr ink = dark_pixels(image, kDark);
  if (!ink) return 0;
  l_float32 up = 0, left = 0;
  if (pixOrientDetect(ink.get(), &up, &left, 0, 0) != 0) return 0;
  l_int32 orientation = L_TEXT_ORIENT_UNKNOWN;
  makeOrientDecision(up, left, 0, 0, &orientation, 0);
  switch (orientation) {
    case L_TEXT_ORIENT_LEFT:
      return 1;
    case L_TEXT_ORIENT_DOWN:
      return 2;
    case L_TEXT_ORIENT_RIGHT:
      return 3;
    default:
      return 0;
  }
}

PageImage turn(const PageImage& image, int quarter_turns) {
  if (quarter_turns % 4 == 0) return image;
  const int w = image.width_px(), h = image.height_px();
  const bool sideways = quarter_turns % 2 != 0;
  PageImage out(image.page(), sideways ? h : w, sideways ? w : h, image.dpi());
  for (int y = 0; y < h; ++y) {
    const uint8_t* from = image.row(y);
    for (int x = 0; x < w; ++x, from += 3) {
      uint8_t* to = quarter_turns == 1   ? out.row(x) + size_t(h - 1 - y) * 3
                    : quarter_turns == 2 ? out.row(h - 1 - y) + size_t(w - 1 - x) * 3
                                         : out.row(w - 1 - x) + size_t(y) * 3;
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return out;
}

double degrees_to_straight(const PageImage& image) {
  constexpr double kLeast =
      0.15;                    // less moves the end of a line by less than a third of its height
  constexpr double kSure = 3;  // Leptonica's own least confidence
  const PixPtr ink = dark_pixels(image, kDark);
  l_float32 degrees = 0, confidence = 0;
  if (!ink || pixFindSkew(ink.get(), &degrees, &confidence) != 0) return 0;
  return confidence >= kSure && std::abs(degrees) >= kLeast ? double(degrees) : 0;
}

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

}  // namespace docspec

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace docspec {

/// A half-open rectangle in pixels of one raster, origin top-left: contains x0 <= x < x1.
struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  int width() const { return x1 - x0; }
  int height() const { return y1 - y0; }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  /// Area in square pixels, 0 when empty.
  int64_t area() const { return empty() ? 0 : int64_t{width()} * height(); }
  bool operator==(const Box&) const = default;
};

Box intersect(const Box& a, const Box& b);
/// The smallest box that holds both; an empty one is ignored.
Box unite(const Box& a, const Box& b);
/// Intersection over union, 0 when both are empty.
double iou(const Box& a, const Box& b);
/// Whether the middle of `of` lies in `box`.
bool holds_middle(const Box& box, const Box& of);
/// `box` grown by `margin_px` on each side and cut to width_px x height_px.
Box pad(const Box& box, int margin_px, int width_px, int height_px);
/// A box of a frame, of which a pixel of an image takes `scale` pixels, in those of the image.
Box in_image(const Box& box, double scale);

/// A rectangle in points (1/72 inch), origin top-left of the upright page.
struct PointBox {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const PointBox&) const = default;
};

/// Owns the RGB8 pixels of one upright page (or of a crop of it).
class PageImage {
 public:
  PageImage() = default;
  /// White pixels. Throws std::invalid_argument when a side or the dpi is not positive.
  PageImage(int page, int width_px, int height_px, double dpi);

  int page() const { return page_; }  ///< counted from 1
  int width_px() const { return width_px_; }
  int height_px() const { return height_px_; }
  double dpi() const { return dpi_; }
  bool empty() const { return rgb_.empty(); }
  const uint8_t* row(int y_px) const { return rgb_.data() + std::size_t(y_px) * width_px_ * 3; }
  uint8_t* row(int y_px) { return rgb_.data() + std::size_t(y_px) * width_px_ * 3; }

  /// A copy of the pixels in `box` (cut to the page): crop(a).crop(b) = crop(b moved by a).
  /// Throws std::invalid_argument when nothing is left.
  PageImage crop(const Box& box) const;

  /// Pixels <-> points. to_pixels(to_points(box)) == box.
  PointBox to_points(const Box& box) const;
  Box to_pixels(const PointBox& box) const;

 private:
  int page_ = 0, width_px_ = 0, height_px_ = 0;
  double dpi_ = 0;
  std::vector<uint8_t> rgb_;  // [height_px, width_px, 3]
};

}  // namespace docspec

#include "core/page/pix_ptr.h"

#include <allheaders.h>

#include <algorithm>

#include "core/page/page_image.h"

namespace docspec {

void PixDelete::operator()(Pix* pix) const {
  pixDestroy(&pix);
}

PixPtr dark_pixels(const PageImage& image, int level) {
  setMsgSeverity(L_SEVERITY_NONE);
  PixPtr ink(pixCreate(image.width_px(), image.height_px(), 1));
  if (!ink) return nullptr;
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* rgb = image.row(y);
    l_uint32* line = pixGetData(ink.get()) + size_t(y) * pixGetWpl(ink.get());
    for (int x = 0; x < image.width_px(); ++x, rgb += 3)
      if (rgb[1] < level) SET_DATA_BIT(line, x);
  }
  return ink;
}

namespace {

/// 8 bits a pixel, of its three colours by `value`.
template <class Value>
PixPtr bytes_of(const PageImage& image, const Value& value) {
  setMsgSeverity(L_SEVERITY_NONE);
  PixPtr out(pixCreate(image.width_px(), image.height_px(), 8));
  if (!out) return nullptr;
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* rgb = image.row(y);
    l_uint32* line = pixGetData(out.get()) + size_t(y) * pixGetWpl(out.get());
    for (int x = 0; x < image.width_px(); ++x, rgb += 3) SET_DATA_BYTE(line, x, value(rgb));
  }
  return out;
}

}  // namespace

PixPtr gray_pixels(const PageImage& image) {
  return bytes_of(
      image, [](const uint8_t* rgb) { return (rgb[0] * 77 + rgb[1] * 151 + rgb[2] * 28) >> 8; });
}

PixPtr darkest_channel(const PageImage& image) {
  return bytes_of(image, [](const uint8_t* rgb) { return std::min({rgb[0], rgb[1], rgb[2]}); });
}

void clear_boxes(Pix* bits, std::span<const Box> boxes) {
  for (const Box& box : boxes)
    pixRasterop(bits, box.x0, box.y0, box.width(), box.height(), PIX_CLR, nullptr, 0, 0);
}

std::vector<Box> boxes_of_pieces(Pix* bits) {
  const auto free_boxes = [](Boxa* boxes) { boxaDestroy(&boxes); };
  const std::unique_ptr<Boxa, decltype(free_boxes)> found(pixConnCompBB(bits, 8), free_boxes);
  std::vector<Box> out;
  for (l_int32 i = 0; found && i < boxaGetCount(found.get()); ++i) {
    l_int32 x, y, w, h;
    if (boxaGetBoxGeometry(found.get(), i, &x, &y, &w, &h) == 0)
      out.push_back({x, y, x + w, y + h});
  }
  return out;
}

}  // namespace docspec

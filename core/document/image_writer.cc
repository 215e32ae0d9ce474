#include "core/document/image_writer.h"

#include <allheaders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace docspec {
namespace {

struct PixDelete {
  void operator()(Pix* pix) const { pixDestroy(&pix); }
};
using PixPtr = std::unique_ptr<Pix, PixDelete>;

struct FontDelete {
  void operator()(L_Bmf* font) const { bmfDestroy(&font); }
};

[[noreturn]] void no_memory() {
  throw Error(ExitCode::out_of_memory, "no memory to write a page's image; lower --dpi");
}

PixPtr to_pix(const PageImage& image) {
  setMsgSeverity(L_SEVERITY_NONE);
  PixPtr pix(pixCreate(image.width_px(), image.height_px(), 32));
  if (!pix) no_memory();
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* rgb = image.row(y);
    l_uint32* line = pixGetData(pix.get()) + size_t(y) * pixGetWpl(pix.get());
    for (int x = 0; x < image.width_px(); ++x, rgb += 3)
      composeRGBPixel(rgb[0], rgb[1], rgb[2], line + x);
  }
  const int dpi = int(std::lround(image.dpi()));
  pixSetResolution(pix.get(), dpi, dpi);
  return pix;
}

std::string encoded(Pix* pix, int quality) {  // quality 0 = PNG
  l_uint8* data = nullptr;
  size_t size = 0;
  const auto failed = quality > 0 ? pixWriteMemJpeg(&data, &size, pix, quality, 0)
                                  : pixWriteMemPng(&data, &size, pix, 0);
  const std::unique_ptr<l_uint8, decltype(&std::free)> owner(data, &std::free);
  if (failed || !data) no_memory();
  return {reinterpret_cast<const char*>(data), size};
}

/// One colour a category, far enough apart to tell neighbours.
constexpr std::array<std::array<int, 3>, 12> kColours = {{{200, 0, 0},
                                                          {230, 110, 0},
                                                          {0, 90, 200},
                                                          {0, 150, 150},
                                                          {150, 0, 180},
                                                          {190, 0, 110},
                                                          {0, 140, 30},
                                                          {110, 130, 0},
                                                          {120, 80, 40},
                                                          {110, 110, 110},
                                                          {110, 110, 110},
                                                          {60, 60, 160}}};

}  // namespace

std::string encode_png(const PageImage& image) {
  return encoded(to_pix(image).get(), 0);
}

std::string encode_jpeg(const PageImage& image, double dpi, int quality) {
  PixPtr pix = to_pix(image);
  const float scale = float(dpi / std::max(1.0, image.dpi()));
  if (scale < 1) pix.reset(pixScale(pix.get(), scale, scale));
  if (!pix) no_memory();
  return encoded(pix.get(), quality);
}

std::string overlay_png(const PageImage& image, const std::vector<Block>& blocks) {
  const PixPtr pix = to_pix(image);
  const int points = std::clamp(int(image.dpi() / 66) * 2, 4, 20);
  const std::unique_ptr<L_Bmf, FontDelete> font(bmfCreate(nullptr, points));
  const int line = std::max(1, int(image.dpi() / 72));
  for (const Block& block : blocks) {
    const Box box = image.to_pixels(block.box_pt);
    const auto& [r, g, b] = kColours[size_t(block.kind)];
    BOX* frame = boxCreate(box.x0, box.y0, std::max(1, box.width()), std::max(1, box.height()));
    pixRenderBoxArb(pix.get(), frame, line, l_uint8(r), l_uint8(g), l_uint8(b));
    boxDestroy(&frame);
    const std::string label = std::to_string(block.order + 1) + " " + std::string(name(block.kind));
    if (font) {
      l_uint32 colour = 0;
      composeRGBPixel(r, g, b, &colour);
      const int y = std::max(box.y0 - 2, points * 4);
      pixSetTextline(pix.get(), font.get(), label.c_str(), colour, std::max(0, box.x0), y, nullptr,
                     nullptr);
    }
  }
  return encoded(pix.get(), 0);
}

}  // namespace docspec

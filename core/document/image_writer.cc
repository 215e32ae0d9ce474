#include "core/document/image_writer.h"

#include <allheaders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

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

std::string png(Pix* pix) {
  l_uint8* data = nullptr;
  size_t size = 0;
  const auto failed = pixWriteMemPng(&data, &size, pix, 0);
  const std::unique_ptr<l_uint8, decltype(&std::free)> owner(data, &std::free);
  if (failed || !data) no_memory();
  return {reinterpret_cast<const char*>(data), size};
}

std::string webp(Pix* pix, int quality) {
  l_uint8* data = nullptr;
  size_t size = 0;
  const auto failed = pixWriteMemWebP(&data, &size, pix, quality, 0);
  const std::unique_ptr<l_uint8, decltype(&std::free)> owner(data, &std::free);
  if (failed || !data) no_memory();
  return {reinterpret_cast<const char*>(data), size};
}

/// At most `dpi`.
PixPtr at_dpi(const PixPtr& pix, const PageImage& image, double dpi) {
  const float scale = float(dpi / std::max(1.0, image.dpi()));
  PixPtr out(scale < 1 ? pixScale(pix.get(), scale, scale) : pixClone(pix.get()));
  if (!out) no_memory();
  return out;
}

/// Whether more than a trace of the page is coloured.
bool has_colour(Pix* pix) {
  constexpr int kDark = 20, kLight = 244, kDifference = 30, kEveryFourth = 4;
  constexpr float kTrace = 0.005F;
  l_float32 grey_or_colour = 0, colour = 0;
  pixColorFraction(pix, kDark, kLight, kDifference, kEveryFourth, &grey_or_colour, &colour);
  return grey_or_colour * colour > kTrace;
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
  return png(to_pix(image).get());
}

// By 11 pages of four documents at 200 dpi: a JPEG of 110 dpi takes 186 KB, WebP 55 KB, and a PNG
// of four greys 37 KB, in which letters stay sharp.
std::string viewer_picture(const PageImage& image, bool photographs) {
  constexpr double kTextDpi = 96, kColourDpi = 80;
  constexpr int kQuality = 30;
  const PixPtr pix = to_pix(image);
  if (photographs || has_colour(pix.get()))
    return webp(at_dpi(pix, image, kColourDpi).get(), kQuality);
  const PixPtr small = at_dpi(pix, image, kTextDpi);
  const PixPtr grey(pixConvertRGBToGray(small.get(), 0, 0, 0));
  const PixPtr four(grey ? pixThresholdTo2bpp(grey.get(), 4, 1) : nullptr);
  if (!four) no_memory();
  return png(four.get());
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
  return png(pix.get());
}

}  // namespace docspec

#include "tests/support/png_writer.h"

#include <allheaders.h>

#include <cmath>

namespace docspec::test {

std::string png_bytes(const PageImage& image) {
  Pix* pix = pixCreate(image.width_px(), image.height_px(), 32);
  const int dpi = int(std::lround(image.dpi()));
  pixSetResolution(pix, dpi, dpi);
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < image.width_px(); ++x) {
      const uint8_t* rgb = image.row(y) + 3 * x;
      pixSetRGBPixel(pix, x, y, rgb[0], rgb[1], rgb[2]);
    }
  l_uint8* data = nullptr;
  size_t size = 0;
  pixWriteMem(&data, &size, pix, IFF_PNG);
  std::string bytes(reinterpret_cast<char*>(data), size);
  lept_free(data);
  pixDestroy(&pix);
  return bytes;
}

}  // namespace docspec::test

#include "core/page/pix_ptr.h"

#include <allheaders.h>

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

}  // namespace docspec

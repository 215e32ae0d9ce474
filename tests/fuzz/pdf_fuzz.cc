// The PDF path: any bytes give pages, words and rasters within their bounds, or an Error.
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/input/pdf_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kPixels = 40'000;
  auto input = std::make_shared<docspec::InputBytes>();
  input->name = "in.pdf";
  input->bytes = std::string(reinterpret_cast<const char*>(data), size);
  try {
    const auto reader = docspec::open_pdf(input, "");
    for (int page = 1; page <= std::min(reader->page_count(), 2); ++page) {
      try {
        const auto info = reader->info(page);
        if (!(info.width_pt >= 1 && info.height_pt >= 1)) std::abort();
        for (const docspec::Word& word : reader->text_layer(page, 72))
          if (word.text.empty()) std::abort();
        const docspec::PageGlyphs glyphs = reader->glyphs(page, 72);
        for (const docspec::PageGlyph& glyph : glyphs.glyphs)
          if (size_t(glyph.font) >= glyphs.fonts.size()) std::abort();
        const auto image = reader->raster(page, 72, kPixels).image;
        if (int64_t{image.width_px()} * image.height_px() > kPixels) std::abort();
      } catch (const docspec::Error&) {
      }
    }
  } catch (const docspec::Error&) {
  }
  return 0;
}

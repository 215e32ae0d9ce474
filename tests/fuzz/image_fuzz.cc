// Image files: any bytes that look like one give a raster within its bounds, or an Error.
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/input/image_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kPixels = 250'000;
  auto input = std::make_shared<docspec::InputBytes>();
  input->name = "in";
  input->bytes = std::string(reinterpret_cast<const char*>(data), size);
  if (!docspec::is_image(input->bytes.view())) return 0;
  try {
    const auto reader = docspec::open_image(input);
    const auto info = reader->info(1);
    // The reader takes larger ones; decoding them would only slow the fuzzer down.
    if (info.width_pt * info.height_pt * info.own_dpi * info.own_dpi > 5184.0 * 4e6) return 0;
    const auto image = reader->raster(1, 72, kPixels).image;
    if (int64_t{image.width_px()} * image.height_px() > kPixels) std::abort();
  } catch (const docspec::Error&) {
  }
  return 0;
}

#include "core/model/image/scaled_image.h"

#include <ATen/ATen.h>

#include <cstring>

namespace docspec {

namespace {

PageImage resized(const PageImage& image, int width, int height, double dpi) {
  if (width == image.width_px() && height == image.height_px()) return image;
  at::Tensor pixels = at::empty({image.height_px(), image.width_px(), 3}, at::kByte);
  std::memcpy(pixels.mutable_data_ptr<uint8_t>(), image.row(0), size_t(pixels.numel()));
  // Channels last, as they lie: ATen takes bytes so without a copy of its own.
  pixels =
      at::_upsample_bicubic2d_aa(pixels.permute({2, 0, 1}).unsqueeze(0), {height, width}, false)
          .squeeze(0)
          .permute({1, 2, 0})
          .contiguous();
  PageImage out(image.page(), width, height, dpi);
  std::memcpy(out.row(0), pixels.const_data_ptr<uint8_t>(), size_t(pixels.numel()));
  return out;
}

}  // namespace

PageImage scaled(const PageImage& image, double factor) {
  const auto [width, height, dpi] = scaled_size(image, factor);
  return resized(image, width, height, dpi);
}

PageImage stretched(const PageImage& image, int width_px, int height_px) {
  return resized(image, width_px, height_px, image.dpi());
}

}  // namespace docspec

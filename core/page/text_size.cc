#include "core/page/text_size.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/median.h"

namespace docspec {
namespace {

constexpr size_t kLeastLetters = 4;  ///< shorter words say little of the average letter
constexpr double kEmPerLetter = 2.05;
constexpr double kLeastScale = 0.25, kMostScale = 2;

size_t letters(std::string_view utf8) {
  return size_t(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

double text_em_px(std::span<const Draft* const> drafts) {
  std::vector<double> widths;
  for (const Draft* draft : drafts)
    for (const Word& word : draft->words)
      if (const size_t n = letters(word.text); n >= kLeastLetters && !word.box.empty())
        widths.push_back(double(word.box.width()) / double(n));
  if (widths.empty()) return 0;
  return kEmPerLetter * median(std::move(widths));
}

double text_scale(double em_px, double text_px) {
  if (em_px <= 0 || text_px <= 0) return 1;
  return std::clamp(text_px / em_px, kLeastScale, kMostScale);
}

ImageSize scaled_size(const PageImage& image, double factor) {
  return {std::max(1, int(std::lround(image.width_px() * factor))),
          std::max(1, int(std::lround(image.height_px() * factor))), image.dpi() * factor};
}

PageImage scaled(const PageImage& image, double factor) {
  const auto [width, height, dpi] = scaled_size(image, factor);
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

}  // namespace docspec

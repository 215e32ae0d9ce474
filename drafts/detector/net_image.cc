#include "drafts/detector/net_image.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace docspec {
namespace {

/// The two pixels that a new one lies between, and their shares in 2048ths.
struct Between {
  int first = 0, second = 0;
  int32_t of_first = 2048, of_second = 0;
};

std::vector<Between> places_between(int64_t count, int of) {
  std::vector<Between> places;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = float((double(i) + 0.5) * (double(of) / double(count)) - 0.5);
    const int first = int(std::floor(at));
    const float share = at - float(first);
    if (first < 0 || first >= of - 1) {
      const int edge = std::clamp(first, 0, of - 1);
      places.push_back({edge, edge});
    } else {
      places.push_back({first, first + 1, int32_t(std::lrint((1 - share) * 2048)),
                        int32_t(std::lrint(share * 2048))});
    }
  }
  return places;
}

/// As OpenCV resizes bytes, bit for bit: sums in whole numbers.
at::Tensor resize_plain(const PageImage& image, int64_t height, int64_t width) {
  at::Tensor out = at::empty({3, height, width});
  float* const to = out.data_ptr<float>();
  const std::vector<Between> rows = places_between(height, image.height_px()),
                             columns = places_between(width, image.width_px());
  const auto across = [&](int y, size_t x, int c) {
    const uint8_t* const row = image.row(y) + c;
    const Between& at = columns[x];
    return (row[3 * at.first] * at.of_first + row[3 * at.second] * at.of_second) >> 4;
  };
  for (size_t y = 0; y < rows.size(); ++y)
    for (size_t x = 0; x < columns.size(); ++x)
      for (int c = 0; c < 3; ++c) {
        const int32_t above = (rows[y].of_first * across(rows[y].first, x, c)) >> 16,
                      below = (rows[y].of_second * across(rows[y].second, x, c)) >> 16;
        to[(c * height + int64_t(y)) * width + int64_t(x)] = float((above + below + 2) >> 2);
      }
  return out;
}

}  // namespace

at::Tensor centred(const at::Tensor& pixels, const std::vector<double>& mean,
                   const std::vector<double>& deviation) {
  const auto channels = [](const std::vector<double>& values) {
    return at::tensor(values, at::kFloat).view({3, 1, 1});
  };
  return (pixels - channels(mean)) / channels(deviation);
}

at::Tensor net_image(const PageImage& image, int64_t height, int64_t width, Resize resize) {
  if (resize == Resize::plain) return resize_plain(image, height, width);
  at::Tensor pixels = at::empty({image.height_px(), image.width_px(), 3}, at::kByte);
  std::memcpy(pixels.mutable_data_ptr<uint8_t>(), image.row(0), size_t(pixels.numel()));
  pixels = pixels.permute({2, 0, 1}).unsqueeze(0).contiguous();
  return at::_upsample_bilinear2d_aa(pixels, {height, width}, false)[0].to(at::kFloat);
}

}  // namespace docspec

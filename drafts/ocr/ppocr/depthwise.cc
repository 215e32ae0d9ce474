#include "drafts/ocr/ppocr/depthwise.h"

#include <cstddef>
#include <cstdint>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec::ppocr {
namespace {

/// Adds the products of one row of an image with one row of the filter.
template <class V, int kSide>
DOCSPEC_INLINE void add_row(const float* x, const ImageShape& shape, const float* weight,
                            int across, int out_width, float* out) {
  const int channels = shape.channels;
  for (int c = 0; c < channels; c += int(kLanesOf<V>)) {
    V w[kSide], pixel, sum;
#pragma GCC unroll 7
    for (int k = 0; k < kSide; ++k) load(w[k], weight + k * channels + c);
    for (int at = 0; at < out_width; ++at) {
      const int left = at * across - kSide / 2;
      const float* const from = x + int64_t(left) * channels + c;
      float* const to = out + int64_t(at) * channels + c;
      const bool inside = left >= 0 && left + kSide <= shape.width;
      load(sum, to);
#pragma GCC unroll 7
      for (int k = 0; k < kSide; ++k) {
        if (!inside && (left + k < 0 || left + k >= shape.width)) continue;
        load(pixel, from + int64_t(k) * channels);
        sum += pixel * w[k];
      }
      store(to, sum);
    }
  }
}

}  // namespace

void run_depthwise(const float* x, const ImageShape& shape, const float* weight, const float* bias,
                   int side, int down, int across, float* out, float* means) {
  for_each_cpu([&](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    const int height = (shape.height - 1) / down + 1, width = (shape.width - 1) / across + 1;
    const int channels = shape.channels;
    for (int c = 0; means && c < channels; ++c) means[c] = 0;
    for (int y = 0; y < height; ++y) {
      float* const row = out + int64_t(y) * width * channels;
      for (int i = 0; i < width; ++i)
        for (int c = 0; c < channels; ++c) row[int64_t(i) * channels + c] = bias[c];
      for (int k = 0; k < side; ++k) {
        const int from = y * down + k - side / 2;
        if (from < 0 || from >= shape.height) continue;
        const float* const line = x + int64_t(from) * shape.width * channels;
        const float* const filter = weight + int64_t(k) * side * channels;
        if (side == 3)
          add_row<V, 3>(line, shape, filter, across, width, row);
        else
          add_row<V, 7>(line, shape, filter, across, width, row);
      }
      for (int i = 0; means && i < width; ++i)
        for (int c = 0; c < channels; ++c) means[c] += row[int64_t(i) * channels + c];
    }
    for (int c = 0; means && c < channels; ++c) means[c] /= float(height) * float(width);
  });
}

}  // namespace docspec::ppocr

#include "drafts/ocr/ppocr/layers/depthwise.h"

#include <cstddef>
#include <cstdint>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec::ppocr {
namespace {

/// Lines of an image and of the filter that make, or add to, one line of outputs.
template <int kLines>
struct FilterLines {
  const float* lines[kLines];    // null: outside of the image
  const float* weights[kLines];  // [side, channels] each
  const float* bias;             // null: added to what stands in `out`
  float* out;
  float* sums;  // of a channel's outputs, added to; or null
};

/// kOutputs outputs from `at` on; if that is more than one, their pixels must be inside.
template <class V, int kSide, int kLines, int kOutputs>
DOCSPEC_INLINE void filter_outputs(const FilterLines<kLines>& f, const ImageShape& shape,
                                   int across, int at) {
  const int64_t channels = shape.channels;
  float* const out = f.out + at * channels;
  for (int64_t c = 0; c < channels; c += kLanesOf<V>) {
    V sums[kOutputs], weight, pixel;
#pragma GCC unroll 4
    for (int i = 0; i < kOutputs; ++i) load(sums[i], f.bias ? f.bias + c : out + i * channels + c);
#pragma GCC unroll 3
    for (int line = 0; line < kLines; ++line) {
      if (!f.lines[line]) continue;
#pragma GCC unroll 7
      for (int k = 0; k < kSide; ++k) {
        load(weight, f.weights[line] + k * channels + c);
#pragma GCC unroll 4
        for (int i = 0; i < kOutputs; ++i) {
          const int x = (at + i) * across - kSide / 2 + k;
          if (kOutputs == 1 && (x < 0 || x >= shape.width)) continue;
          load(pixel, f.lines[line] + x * channels + c);
          sums[i] += pixel * weight;
        }
      }
    }
    V total = {};
#pragma GCC unroll 4
    for (int i = 0; i < kOutputs; ++i) {
      store(out + i * channels + c, sums[i]);
      total += sums[i];
    }
    if (!f.sums) continue;
    load(pixel, f.sums + c);
    store(f.sums + c, pixel + total);
  }
}

/// One line of outputs, some at a time: the weights are loaded once for them.
template <class V, int kSide, int kLines>
DOCSPEC_INLINE void filter_lines(const FilterLines<kLines>& f, const ImageShape& shape, int across,
                                 int out_width) {
  constexpr int kOutputs = 4;
  for (int at = 0; at < out_width;) {
    const int left = at * across - kSide / 2, end = left + (kOutputs - 1) * across + kSide;
    if (left >= 0 && end <= shape.width) {
      filter_outputs<V, kSide, kLines, kOutputs>(f, shape, across, at);
      at += kOutputs;
    } else {
      filter_outputs<V, kSide, kLines, 1>(f, shape, across, at++);
    }
  }
}

}  // namespace

void run_depthwise_line(const float* x, const ImageShape& shape, const DepthwiseFilter& filter,
                        int y, float* out, float* sums) {
  const int side = filter.side, channels = shape.channels, width = filter.outputs(shape).width;
  const auto line = [&](int k) -> const float* {
    const int from = y * filter.down + k - side / 2;
    const bool inside = from >= 0 && from < shape.height;
    return inside ? x + int64_t(from) * shape.width * channels : nullptr;
  };
  const auto weights = [&](int k) { return filter.weight + int64_t(k) * side * channels; };
  for_each_cpu([&](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    if (side == 3) {
      filter_lines<V, 3, 3>({{line(0), line(1), line(2)},
                             {weights(0), weights(1), weights(2)},
                             filter.bias,
                             out,
                             sums},
                            shape, filter.across, width);
      return;
    }
    // All of a larger filter would not fit the registers. Its middle line is always inside.
    filter_lines<V, 7, 1>({{line(3)}, {weights(3)}, filter.bias, out, nullptr}, shape,
                          filter.across, width);
    for (int k = 0; k < side; ++k)
      if (k != 3 && line(k))
        filter_lines<V, 7, 1>({{line(k)}, {weights(k)}, nullptr, out, nullptr}, shape,
                              filter.across, width);
    for (int i = 0; sums && i < width; ++i)
      for (int c = 0; c < channels; ++c) sums[c] += out[int64_t(i) * channels + c];
  });
}

void run_depthwise(const float* x, const ImageShape& shape, const DepthwiseFilter& filter,
                   float* out, float* means) {
  const ImageShape outputs = filter.outputs(shape);
  const int channels = shape.channels;
  for (int c = 0; means && c < channels; ++c) means[c] = 0;
  for (int y = 0; y < outputs.height; ++y)
    run_depthwise_line(x, shape, filter, y, out + int64_t(y) * outputs.width * channels, means);
  for (int c = 0; means && c < channels; ++c)
    means[c] /= float(outputs.height) * float(outputs.width);
}

}  // namespace docspec::ppocr

#include "drafts/ocr/ppocr/layers/patches.h"

#include <algorithm>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec::ppocr {
namespace {

/// Copies the patch whose first pixels are at x, line by line.
void copy_patch(const float* const* lines, const ImageShape& shape, int side, int x, float* to) {
  const int64_t channels = shape.channels;
  const int from = std::max(0, x), end = std::min(x + side, shape.width);
  for (int line = 0; line < side; ++line, to += side * channels) {
    if (!lines[line] || end - from < side) std::fill_n(to, side * channels, 0.0f);
    if (lines[line])
      std::copy_n(lines[line] + from * channels, (end - from) * channels,
                  to + (from - x) * channels);
  }
}

}  // namespace

void run_patches(const IntegerLayer& layer, const float* const* lines, const ImageShape& shape,
                 const PatchShape& patch, LayerActivation activation, const LayerRows& out) {
  constexpr int kRows = IntegerLayer::kRows;
  static thread_local AlignedVector<float> patches;
  patches.resize(std::max(patches.size(), size_t(kRows) * size_t(layer.in())));
  const int width = (shape.width - 1) / patch.stride + 1;
  for (int first = 0; first < width; first += kRows) {
    const int rows = std::min(kRows, width - first);
    for (int i = 0; i < rows; ++i)
      copy_patch(lines, shape, patch.side, (first + i) * patch.stride - patch.before,
                 patches.data() + int64_t(i) * layer.in());
    layer.run(patches.data(), rows, activation,
              {out.first + int64_t(first) * out.stride, out.stride, out.add});
  }
}

void run_largest_of_four(const float* line, const float* below, const ImageShape& shape, float* out,
                         int stride) {
  const int64_t channels = shape.channels;
  for_each_cpu([&](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    for (int64_t c = 0; c < channels; c += kLanesOf<V>) {
      V column, next, other;  // the larger of the two lines
      const auto larger = [&](V& to, int64_t x) DOCSPEC_INLINED {
        to = other = V{};
        if (x == shape.width) return;
        load(to, line + x * channels + c);
        if (below) load(other, below + x * channels + c);
        to = other > to ? other : to;
      };
      larger(column, 0);
      for (int64_t x = 0; x < shape.width; ++x) {
        larger(next, x + 1);
        column = next > column ? next : column;
        store(out + x * stride + c, column);
        column = next;
      }
    }
  });
}

}  // namespace docspec::ppocr

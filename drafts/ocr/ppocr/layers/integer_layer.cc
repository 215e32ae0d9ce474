#include "drafts/ocr/ppocr/layers/integer_layer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "drafts/ocr/ppocr/layers/integer_kernels.h"

namespace docspec::ppocr {
namespace {

/// Scales the weights and lays them in strips of `strip` outputs (the last may be narrower), where
/// `group` inputs of an output lie side by side. `limit`: of the integers.
template <class T>
void pack(const float* weight, int out, int strip, int group, int limit, IntegerWeights& to,
          AlignedVector<T>& integers) {
  integers.resize(size_t(to.outputs) * size_t(to.padded));
  for (int o = 0; o < out; ++o) {
    const float* row = weight + size_t(o) * size_t(to.in);
    float most = 0;
    for (int k = 0; k < to.in; ++k) most = std::max(most, std::abs(row[k]));
    const int first = o / strip * strip, width = std::min(strip, to.outputs - first);
    T* const from = integers.data() + size_t(first) * size_t(to.padded);
    int32_t sum = 0;
    for (int k = 0; k < to.in; ++k) {
      const auto whole = T(most > 0 ? std::lround(row[k] * float(limit) / most) : 0);
      from[(size_t(k / group) * size_t(width) + size_t(o - first)) * size_t(group) +
           size_t(k % group)] = whole;
      sum += whole;
    }
    to.scale[size_t(o)] = most / float(limit);
    to.sums[size_t(o)] = 128 * sum;
  }
}

}  // namespace

bool multiplies(IntegerKind kind) {
  switch (kind) {
    case IntegerKind::int8_tiles:
      return has_int8_kernel() && has_tile_kernel();
    case IntegerKind::int8:
      return has_int8_kernel();
    case IntegerKind::int16:
      return has_int16_kernel();
    default:
      return false;
  }
}

IntegerKind fastest_integers() {
  for (const IntegerKind kind : {IntegerKind::int8_tiles, IntegerKind::int8, IntegerKind::int16})
    if (multiplies(kind)) return kind;
  return IntegerKind::none;
}

IntegerLayer::IntegerLayer(IntegerKind kind, const float* weight, const float* bias, int out,
                           int in)
    : kind_(kind), out_(out) {
  constexpr int kMostInputs = 1024;  // so that sums of int16 products stay within 32 bits
  if (in % 4 || in > kMostInputs) throw std::logic_error("IntegerLayer: number of inputs");
  weights_.in = in;
  weights_.padded = kind == IntegerKind::int8_tiles ? (in + 63) / 64 * 64 : in;
  weights_.outputs = (out + 15) / 16 * 16;
  const auto width = size_t(weights_.outputs);
  weights_.scale.resize(width);
  weights_.sums.resize(width);
  weights_.bias.assign(bias, bias + out);
  weights_.bias.resize(width);
  if (kind == IntegerKind::int16)
    pack(weight, out, 16, 2, 1023, weights_, weights_.shorts);
  else
    pack(weight, out, kind == IntegerKind::int8_tiles ? 16 : 64, 4, 127, weights_, weights_.bytes);
}

void IntegerLayer::run(const float* x, int rows, LayerActivation activation,
                       const LayerRows& out) const {
  const auto kernel = kind_ == IntegerKind::int8_tiles ? run_tiles
                      : kind_ == IntegerKind::int8     ? run_int8
                                                       : run_int16;
  kernel(weights_, x, rows, activation, out);
}

void run_rows(const IntegerLayer& layer, const float* x, int64_t rows, LayerActivation activation,
              const LayerRows& out) {
  constexpr int64_t kRows = IntegerLayer::kRows;
  for (int64_t row = 0; row < rows; row += kRows)
    layer.run(x + row * layer.in(), int(std::min(kRows, rows - row)), activation,
              {out.first + row * out.stride, out.stride, out.add});
}

void run_channels(const IntegerLayer& first, const IntegerLayer& second, float* x, int64_t rows,
                  const float* squeeze, float* out) {
  constexpr int64_t kRows = IntegerLayer::kRows;
  const int in = first.in(), outputs = second.out();
  static thread_local AlignedVector<float> hidden;
  hidden.resize(std::max(hidden.size(), size_t(kRows) * size_t(first.width())));
  for (int64_t row = 0; row < rows; row += kRows) {
    const int count = int(std::min(kRows, rows - row));
    float* const from = x + row * in;
    for (int i = 0; squeeze && i < count; ++i)
      for (int c = 0; c < in; ++c) from[i * in + c] *= squeeze[c];
    first.run(from, count, LayerActivation::gelu, {hidden.data(), first.width()});
    second.run(hidden.data(), count, LayerActivation::none,
               {out + row * outputs, outputs, out == x});
  }
}

}  // namespace docspec::ppocr

#include "drafts/ocr/ppocr/integer_layer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "drafts/ocr/ppocr/integer_kernels.h"

namespace docspec::ppocr {
namespace {

/// Scales the weights and lays them in strips of `strip` outputs (the last may be narrower), where
/// `group` inputs of an output lie side by side. `limit`: of the integers.
template <class T>
void pack(const float* weight, int out, int strip, int group, int limit, IntegerWeights& to,
          std::vector<T>& integers) {
  integers.resize(size_t(to.outputs) * size_t(to.in));
  for (int o = 0; o < out; ++o) {
    const float* row = weight + size_t(o) * size_t(to.in);
    float most = 0;
    for (int k = 0; k < to.in; ++k) most = std::max(most, std::abs(row[k]));
    const int first = o / strip * strip, width = std::min(strip, to.outputs - first);
    T* const from = integers.data() + size_t(first) * size_t(to.in);
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
  return kind == IntegerKind::int8 ? has_int8_kernel()
                                   : kind == IntegerKind::int16 && has_int16_kernel();
}

IntegerKind fastest_integers() {
  for (const IntegerKind kind : {IntegerKind::int8, IntegerKind::int16})
    if (multiplies(kind)) return kind;
  return IntegerKind::none;
}

IntegerLayer::IntegerLayer(IntegerKind kind, const float* weight, const float* bias, int out,
                           int in)
    : kind_(kind), out_(out) {
  constexpr int kMostInputs = 1024;  // so that sums of int16 products stay within 32 bits
  if (in % 4 || in > kMostInputs) throw std::logic_error("IntegerLayer: number of inputs");
  weights_.in = in;
  weights_.outputs = (out + 15) / 16 * 16;
  const auto padded = size_t(weights_.outputs);
  weights_.scale.resize(padded);
  weights_.sums.resize(padded);
  weights_.bias.assign(bias, bias + out);
  weights_.bias.resize(padded);
  if (kind == IntegerKind::int8)
    pack(weight, out, 64, 4, 127, weights_, weights_.bytes);
  else
    pack(weight, out, 16, 2, 1023, weights_, weights_.shorts);
}

void IntegerLayer::run(const float* x, int rows, LayerActivation activation, float* out) const {
  (kind_ == IntegerKind::int8 ? run_int8 : run_int16)(weights_, x, rows, activation, out);
}

void run_channels(const IntegerLayer& first, const IntegerLayer& second, const float* x,
                  int64_t rows, const float* squeeze, bool residual, float* out) {
  constexpr int64_t kRows = IntegerLayer::kRows;
  const int in = first.in(), outputs = second.out();
  std::vector<float> squeezed(squeeze ? size_t(kRows * in) : 0),
      hidden(size_t(kRows) * size_t(first.out_stride())),
      made(size_t(kRows) * size_t(second.out_stride()));
  for (int64_t row = 0; row < rows; row += kRows) {
    const int count = int(std::min(kRows, rows - row));
    const float* from = x + row * in;
    if (squeeze) {
      for (int i = 0; i < count; ++i)
        for (int c = 0; c < in; ++c) squeezed[size_t(i * in + c)] = from[i * in + c] * squeeze[c];
      from = squeezed.data();
    }
    first.run(from, count, LayerActivation::gelu, hidden.data());
    second.run(hidden.data(), count, LayerActivation::none, made.data());
    float* const to = out + row * outputs;
    for (int i = 0; i < count * outputs; ++i) to[i] = made[size_t(i)] + (residual ? from[i] : 0);
  }
}

}  // namespace docspec::ppocr

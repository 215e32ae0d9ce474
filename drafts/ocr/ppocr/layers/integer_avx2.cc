#include "drafts/ocr/ppocr/layers/integer_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <cmath>

#include "core/ops/cpu/instruction_set.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#include "drafts/ocr/ppocr/layers/integer_gelu.h"

namespace docspec::ppocr {
namespace {

constexpr int kStrip = 16;  // outputs of two registers
constexpr int kTile = 6;    // rows whose sums fit the registers, with a strip's
constexpr float kMost =
    2047;  // of a row's integers: with weights to 1023, 1024 products fit 31 bits

/// Largest absolute value of a row; n is a multiple of 4.
DOCSPEC_INLINE float largest(const float* x, int n) {
  const __m256 unsigned_bits = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff));
  __m256 eight = _mm256_setzero_ps();
  int i = 0;
  for (; i + 8 <= n; i += 8)
    eight = _mm256_max_ps(eight, _mm256_and_ps(_mm256_loadu_ps(x + i), unsigned_bits));
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  if (i < n)
    four = _mm_max_ps(four, _mm_and_ps(_mm_loadu_ps(x + i), _mm256_castps256_ps128(unsigned_bits)));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

/// round(kMost x / largest) of a row; returns its scale.
DOCSPEC_INLINE float quantise(const float* x, int n, int16_t* to) {
  const float most = largest(x, n);
  const __m128 inverse = _mm_set1_ps(most > 0 ? kMost / most : 0);
  for (int i = 0; i < n; i += 4) {
    const __m128i whole = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(x + i), inverse));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to + i), _mm_packs_epi32(whole, whole));
  }
  return most / kMost;
}

/// Adds the products of two numbers of a row with the weights of 16 outputs. Written out, or GCC 12
/// moves all sums to and fro.
DOCSPEC_INLINE void add_products(__m256i& left, __m256i& right, const int16_t* x,
                                 const __m256i& left_weights, const __m256i& right_weights) {
  __m256i pair, product;
  asm("vpbroadcastd %4, %2\n\t"
      "vpmaddwd %5, %2, %3\n\tvpaddd %3, %0, %0\n\t"
      "vpmaddwd %6, %2, %2\n\tvpaddd %2, %1, %1"
      : "+x"(left), "+x"(right), "=&x"(pair), "=&x"(product)
      : "m"(*reinterpret_cast<const int32_t*>(x)), "x"(left_weights), "x"(right_weights));
}

struct ShortStrip {
  const int16_t* weights;
  const float *scale, *bias;
  LayerRows out;
  int rows;  // that are stored, at most kTile
};

/// Stores what the sums of eight outputs, from `first` on, and kTile rows stand for.
DOCSPEC_INLINE void finish(const __m256i (&sums)[kTile], const float* row_scale,
                           const ShortStrip& strip, int first, LayerActivation activation) {
  const __m256 scales = _mm256_loadu_ps(strip.scale + first);
  const __m256 biases = _mm256_loadu_ps(strip.bias + first);
#pragma GCC unroll 6
  for (int r = 0; r < kTile; ++r) {
    if (r >= strip.rows) continue;
    float* const to = strip.out.first + int64_t(r) * strip.out.stride + first;
    const __m256 sum = _mm256_cvtepi32_ps(sums[r]);
    __m256 y = _mm256_fmadd_ps(sum, _mm256_mul_ps(scales, _mm256_set1_ps(row_scale[r])), biases);
    if (activation == LayerActivation::relu) y = _mm256_max_ps(y, _mm256_setzero_ps());
    if (activation == LayerActivation::gelu) gelu(y);
    if (strip.out.add) y = _mm256_add_ps(y, _mm256_loadu_ps(to));
    _mm256_storeu_ps(to, y);
  }
}

/// kTile rows with the outputs of a strip. A function of its own, or GCC 12 keeps no sum in a
/// register.
[[gnu::noinline]] void multiply(const int16_t* x, int in, const float* row_scale,
                                const ShortStrip& strip, LayerActivation activation) {
  __m256i left[kTile], right[kTile];
#pragma GCC unroll 6
  for (int r = 0; r < kTile; ++r) left[r] = right[r] = _mm256_setzero_si256();
  const auto* weights = reinterpret_cast<const __m256i*>(strip.weights);
  for (int k = 0; k < in; k += 2, weights += 2) {
    const __m256i w[2] = {_mm256_loadu_si256(weights), _mm256_loadu_si256(weights + 1)};
#pragma GCC unroll 6
    for (int r = 0; r < kTile; ++r) add_products(left[r], right[r], x + r * in + k, w[0], w[1]);
  }
  finish(left, row_scale, strip, 0, activation);
  finish(right, row_scale, strip, 8, activation);
}

/// Rows as they are multiplied. Those after the last are whatever was there before.
struct ShortRows {
  AlignedVector<int16_t> shorts;
  float scale[IntegerLayer::kRows] = {};
};

}  // namespace

void run_int16(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
               const LayerRows& out) {
  static thread_local ShortRows quantised;
  const int in = weights.in;
  quantised.shorts.resize(
      std::max(quantised.shorts.size(), size_t(IntegerLayer::kRows) * size_t(in)));
  int16_t* const from = quantised.shorts.data();
  for (int r = 0; r < rows; ++r) quantised.scale[r] = quantise(x + r * in, in, from + r * in);
  for (int first = 0; first < weights.outputs; first += kStrip)
    for (int r = 0; r < rows; r += kTile)
      multiply(from + r * in, in, quantised.scale + r,
               {weights.shorts.data() + size_t(first) * size_t(in),
                weights.scale.data() + first,
                weights.bias.data() + first,
                {out.first + int64_t(r) * out.stride + first, out.stride, out.add},
                std::min(kTile, rows - r)},
               activation);
}

}  // namespace docspec::ppocr
#pragma GCC pop_options

namespace docspec::ppocr {

bool has_int16_kernel() {
  return instruction_set() >= InstructionSet::avx2;
}

}  // namespace docspec::ppocr
#else
namespace docspec::ppocr {

bool has_int16_kernel() {
  return false;
}
void run_int16(const IntegerWeights&, const float*, int, LayerActivation, const LayerRows&) {}

}  // namespace docspec::ppocr
#endif

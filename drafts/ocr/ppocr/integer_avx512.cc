#include <algorithm>

#include "core/ops/cpu/instruction_set.h"
#include "drafts/ocr/ppocr/integer_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma")
#include "drafts/ocr/ppocr/integer_gelu.h"

namespace docspec::ppocr {
namespace {

constexpr int kStrip = 64, kQuad = 4;  // outputs and inputs that are multiplied together
constexpr int kTile = 6;               // rows whose sums fit the registers, with a strip's

/// Largest absolute value of a row.
DOCSPEC_INLINE float largest(const float* x, int n) {
  __m512 most = _mm512_setzero_ps();
  int i = 0;
  for (; i + 16 <= n; i += 16) most = _mm512_max_ps(most, _mm512_abs_ps(_mm512_loadu_ps(x + i)));
  if (i < n) {
    const auto mask = __mmask16((1u << (n - i)) - 1);
    most = _mm512_max_ps(most, _mm512_abs_ps(_mm512_maskz_loadu_ps(mask, x + i)));
  }
  return _mm512_reduce_max_ps(most);
}

/// round(127 x / largest) + 128 of a row, which is padded to whole quadruples; returns its scale.
DOCSPEC_INLINE float quantise(const float* x, int n, uint8_t* to) {
  const float most = largest(x, n);
  const __m512 inverse = _mm512_set1_ps(most > 0 ? 127 / most : 0);
  const __m512i offset = _mm512_set1_epi32(128);
  for (int i = 0; i < n; i += 16) {
    const auto mask = n - i >= 16 ? __mmask16(0xffff) : __mmask16((1u << (n - i)) - 1);
    const __m512 part = _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, x + i), inverse);
    const __m512i whole = _mm512_add_epi32(_mm512_cvtps_epi32(part), offset);
    _mm512_mask_cvtepi32_storeu_epi8(to + i, mask, whole);
  }
  return most / 127;
}

/// Adds the sums of four products. Written out, or GCC 12 moves all sums to and fro.
DOCSPEC_INLINE void add_products(__m512i& sums, __m512i x, __m512i w) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(x), "v"(w));
}

struct Strip {
  const int8_t* weights;
  const float *scale, *bias;
  const int32_t* sums;
  float* out;
};

/// kTile rows with 16 x kVectors outputs.
template <int kVectors>
DOCSPEC_INLINE void multiply(const uint8_t* x, int in, const float* row_scale, const Strip& strip,
                             LayerActivation activation, int out_stride) {
  __m512i sums[kTile][kVectors];
#pragma GCC unroll 6
  for (int r = 0; r < kTile; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_si512();
  const int8_t* weights = strip.weights;
  for (int k = 0; k < in; k += kQuad, weights += 64 * kVectors) {
    __m512i w[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) w[v] = _mm512_loadu_si512(weights + 64 * v);
#pragma GCC unroll 6
    for (int r = 0; r < kTile; ++r) {
      int32_t quad;
      std::memcpy(&quad, x + r * in + k, sizeof quad);
      const __m512i row = _mm512_set1_epi32(quad);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) add_products(sums[r][v], row, w[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const __m512i offset = _mm512_loadu_si512(strip.sums + 16 * v);
    const __m512 scale = _mm512_loadu_ps(strip.scale + 16 * v);
    const __m512 bias = _mm512_loadu_ps(strip.bias + 16 * v);
#pragma GCC unroll 6
    for (int r = 0; r < kTile; ++r) {
      const __m512 sum = _mm512_cvtepi32_ps(_mm512_sub_epi32(sums[r][v], offset));
      __m512 y = _mm512_fmadd_ps(sum, _mm512_mul_ps(scale, _mm512_set1_ps(row_scale[r])), bias);
      if (activation == LayerActivation::relu) y = _mm512_max_ps(y, _mm512_setzero_ps());
      if (activation == LayerActivation::gelu) gelu(y);
      _mm512_storeu_ps(strip.out + r * out_stride + 16 * v, y);
    }
  }
}

/// All outputs, strip by strip, the rows a tile at a time.
void multiply_rows(const uint8_t* x, int rows, int in, const float* row_scale, const Strip& all,
                   int outputs, LayerActivation activation) {
  for (int first = 0; first < outputs; first += kStrip)
    for (int r = 0; r < rows; r += kTile) {
      const Strip strip = {all.weights + size_t(first) * in, all.scale + first, all.bias + first,
                           all.sums + first, all.out + size_t(r) * outputs + first};
      const uint8_t* const from = x + size_t(r) * in;
      switch ((outputs - first) / 16) {
        case 1:
          multiply<1>(from, in, row_scale + r, strip, activation, outputs);
          break;
        case 2:
          multiply<2>(from, in, row_scale + r, strip, activation, outputs);
          break;
        case 3:
          multiply<3>(from, in, row_scale + r, strip, activation, outputs);
          break;
        default:
          multiply<4>(from, in, row_scale + r, strip, activation, outputs);
      }
    }
}

/// Rows as they are multiplied. Those after the last are whatever was there before.
struct QuantisedRows {
  std::vector<uint8_t> bytes;
  float scale[IntegerLayer::kRows] = {};
};

}  // namespace

void run_int8(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
              float* out) {
  static thread_local QuantisedRows quantised;
  const auto in = size_t(weights.in);
  quantised.bytes.resize(std::max(quantised.bytes.size(), IntegerLayer::kRows * in));
  uint8_t* const from = quantised.bytes.data();
  for (int r = 0; r < rows; ++r)
    quantised.scale[r] = quantise(x + size_t(r) * in, weights.in, from + size_t(r) * in);
  const Strip all = {weights.bytes.data(), weights.scale.data(), weights.bias.data(),
                     weights.sums.data(), out};
  multiply_rows(from, rows, weights.in, quantised.scale, all, weights.outputs, activation);
}

}  // namespace docspec::ppocr
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace docspec::ppocr {

bool has_int8_kernel() {
  if (instruction_set() != InstructionSet::avx512) return false;
  return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq");
}

}  // namespace docspec::ppocr
#else
namespace docspec::ppocr {

bool has_int8_kernel() {
  return false;
}
void run_int8(const IntegerWeights&, const float*, int, LayerActivation, float*) {}

}  // namespace docspec::ppocr
#endif

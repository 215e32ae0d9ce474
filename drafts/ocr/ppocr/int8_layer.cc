#include "drafts/ocr/ppocr/int8_layer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/ops/cpu/instruction_set.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma")
#include "core/ops/cpu/cpu_vector.h"

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

/// x times the normal distribution's share below x. A polynomial that is clamped: 2e-4 at most from
/// it, a tenth of what int8 rounds off.
DOCSPEC_INLINE __m512 gelu(__m512 x) {
  const __m512 end = _mm512_set1_ps(4);
  const __m512 c = _mm512_max_ps(_mm512_min_ps(x, end), _mm512_sub_ps(_mm512_setzero_ps(), end));
  const __m512 s = _mm512_mul_ps(c, c);
  __m512 p = _mm512_set1_ps(2.27814701e-8f);
  for (const float factor : {-1.5986037e-6f, 4.79555434e-5f, -8.1401567e-4f, 8.77238908e-3f,
                             -6.45731121e-2f, 3.9788335e-1f})
    p = _mm512_fmadd_ps(p, s, _mm512_set1_ps(factor));
  return _mm512_mul_ps(x, _mm512_fmadd_ps(p, c, _mm512_set1_ps(0.5f)));
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
      if (activation == LayerActivation::gelu) y = gelu(y);
      _mm512_storeu_ps(strip.out + r * out_stride + 16 * v, y);
    }
  }
}

void quantise_rows(const float* x, int rows, int in, uint8_t* to, float* scale) {
  for (int r = 0; r < rows; ++r) scale[r] = quantise(x + size_t(r) * in, in, to + size_t(r) * in);
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

void multiply_channels(const float* x, const float* factors, int rows, int channels, float* to) {
  for (int r = 0; r < rows; ++r, x += channels, to += channels)
    for (int c = 0; c < channels; c += 16)
      _mm512_storeu_ps(to + c, _mm512_mul_ps(_mm512_loadu_ps(x + c), _mm512_loadu_ps(factors + c)));
}

}  // namespace
}  // namespace docspec::ppocr
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace docspec::ppocr {
namespace {

/// Rows as they are multiplied. Those after the last are whatever was there before.
struct QuantisedRows {
  std::vector<uint8_t> bytes;
  float scale[Int8Layer::kRows] = {};
};

}  // namespace

bool multiplies_int8() {
  if (instruction_set() != InstructionSet::avx512) return false;
  return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq");
}

Int8Layer::Int8Layer(const float* weight, const float* bias, int out, int in) : in_(in), out_(out) {
  if (in % kQuad) throw std::logic_error("Int8Layer: inputs are no quadruples");
  const auto padded = size_t(out_stride());
  weights_.resize(padded * size_t(in));
  scale_.resize(padded);
  bias_.resize(padded);
  sums_.resize(padded);
  for (int o = 0; o < out; ++o) {
    const float* row = weight + size_t(o) * in;
    float most = 0;
    for (int k = 0; k < in; ++k) most = std::max(most, std::abs(row[k]));
    const int first = o / kStrip * kStrip, width = std::min(kStrip, int(padded) - first);
    int8_t* const strip = weights_.data() + size_t(first) * in;
    int32_t sum = 0;
    for (int k = 0; k < in; ++k) {
      const auto whole = int8_t(most > 0 ? std::lround(row[k] * 127 / most) : 0);
      strip[(size_t(k / kQuad) * width + (o - first)) * kQuad + k % kQuad] = whole;
      sum += whole;
    }
    scale_[size_t(o)] = most / 127;
    bias_[size_t(o)] = bias[o];
    sums_[size_t(o)] = 128 * sum;
  }
}

void Int8Layer::run(const float* x, int rows, LayerActivation activation, float* out) const {
  static thread_local QuantisedRows quantised;
  quantised.bytes.resize(std::max(quantised.bytes.size(), size_t(kRows) * size_t(in_)));
  quantise_rows(x, rows, in_, quantised.bytes.data(), quantised.scale);
  const Strip all = {weights_.data(), scale_.data(), bias_.data(), sums_.data(), out};
  multiply_rows(quantised.bytes.data(), rows, in_, quantised.scale, all, out_stride(), activation);
}

void run_channels(const Int8Layer& first, const Int8Layer& second, const float* x, int64_t rows,
                  const float* squeeze, bool residual, float* out) {
  constexpr int64_t kRows = Int8Layer::kRows;
  const int in = first.in(), outputs = second.out();
  std::vector<float> squeezed(squeeze ? size_t(kRows * in) : 0),
      hidden(size_t(kRows) * first.out_stride()), made(size_t(kRows) * second.out_stride());
  for (int64_t row = 0; row < rows; row += kRows) {
    const int count = int(std::min(kRows, rows - row));
    const float* from = x + row * in;
    if (squeeze) {
      multiply_channels(from, squeeze, count, in, squeezed.data());
      from = squeezed.data();
    }
    first.run(from, count, LayerActivation::gelu, hidden.data());
    second.run(hidden.data(), count, LayerActivation::none, made.data());
    float* const to = out + row * outputs;
    for (int i = 0; i < count * outputs; ++i) to[i] = made[size_t(i)] + (residual ? from[i] : 0);
  }
}

}  // namespace docspec::ppocr
#else
namespace docspec::ppocr {

bool multiplies_int8() {
  return false;
}
Int8Layer::Int8Layer(const float*, const float*, int, int) {}
void Int8Layer::run(const float*, int, LayerActivation, float*) const {}
void run_channels(const Int8Layer&, const Int8Layer&, const float*, int64_t, const float*, bool,
                  float*) {}

}  // namespace docspec::ppocr
#endif

#include <algorithm>
#include <array>

#include "core/ops/cpu/cpu_linear_amx.h"
#include "core/ops/cpu/instruction_set.h"
#include "drafts/ocr/ppocr/layers/integer_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma,amx-tile,amx-int8")
#include "core/ops/cpu/cpu_amx_tile.h"
#include "drafts/ocr/ppocr/layers/integer_gelu.h"

namespace docspec::ppocr {
namespace {

constexpr int kStrip = 64, kQuad = 4;  // outputs and inputs that are multiplied together
constexpr int kGroup = 6;              // rows whose sums fit the registers, with a strip's
constexpr int kVector = 16;            // outputs of a register
constexpr int kTileSize = 1024;        // bytes

/// Part 0 to 3 of up to 64 numbers, those after the last `left` are zero.
DOCSPEC_INLINE __m512 load_some(const float* x, int left, int part) {
  if (left >= 64) return _mm512_loadu_ps(x + 16 * part);
  const int lanes = std::clamp(left - 16 * part, 0, 16);
  return _mm512_maskz_loadu_ps(__mmask16((1u << lanes) - 1), x + 16 * part);
}

/// Largest absolute value of a row.
DOCSPEC_INLINE float largest(const float* x, int n) {
  __m512 most[4] = {};  // more than one, or each waits for the one before it
  for (int i = 0; i < n; i += 64)
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part)
      most[part] = _mm512_max_ps(most[part], _mm512_abs_ps(load_some(x + i, n - i, part)));
  return _mm512_reduce_max_ps(
      _mm512_max_ps(_mm512_max_ps(most[0], most[1]), _mm512_max_ps(most[2], most[3])));
}

/// round(127 x / largest) + offset (0 or 128) of a row; returns its scale. Writes whole 64 bytes,
/// `step` apart.
DOCSPEC_INLINE float quantise(const float* x, int n, int8_t offset, uint8_t* to, int step) {
  const float most = largest(x, n);
  const __m512 inverse = _mm512_set1_ps(most > 0 ? 127 / most : 0);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  for (int i = 0; i < n; i += 64, to += step) {
    __m512i whole[4];
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      const __m512 floats = load_some(x + i, n - i, part);
      whole[part] = _mm512_cvtps_epi32(_mm512_mul_ps(floats, inverse));
    }
    // Packing takes quarters of the registers in turn.
    const __m512i bytes = _mm512_packs_epi16(_mm512_packs_epi32(whole[0], whole[1]),
                                             _mm512_packs_epi32(whole[2], whole[3]));
    const __m512i moved = _mm512_xor_si512(bytes, _mm512_set1_epi8(offset));
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, moved));
  }
  return most / 127;
}

/// Adds the sums of four products. Written out, or GCC 12 moves all sums to and fro.
DOCSPEC_INLINE void add_products(__m512i& sums, __m512i x, __m512i w) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(x), "v"(w));
}

/// Up to 64 outputs of a layer.
struct Strip {
  const int8_t* weights;
  const float *scale, *bias;
  const int32_t* sums;
  int width;

  Strip(const IntegerWeights& all, int first)
      : weights(all.bytes.data() + size_t(first) * size_t(all.padded)),
        scale(all.scale.data() + first),
        bias(all.bias.data() + first),
        sums(all.sums.data() + first),
        width(std::min(kStrip, all.outputs - first)) {}
};

/// Writes 16 outputs of a row.
class OutputWriter {
 public:
  DOCSPEC_INLINE OutputWriter(const Strip& strip, int first, LayerActivation activation, bool add)
      : scale_(_mm512_loadu_ps(strip.scale + first)),
        bias_(_mm512_loadu_ps(strip.bias + first)),
        activation_(activation),
        add_(add) {}

  DOCSPEC_INLINE void write(const __m512i& sums, float row_scale, float* to) const {
    const __m512 sum = _mm512_cvtepi32_ps(sums);
    __m512 y = _mm512_fmadd_ps(sum, _mm512_mul_ps(scale_, _mm512_set1_ps(row_scale)), bias_);
    if (activation_ == LayerActivation::relu) y = _mm512_max_ps(y, _mm512_setzero_ps());
    if (activation_ == LayerActivation::gelu) gelu(y);
    if (add_) y = _mm512_add_ps(y, _mm512_loadu_ps(to));
    _mm512_storeu_ps(to, y);
  }

 private:
  __m512 scale_, bias_;
  LayerActivation activation_;
  bool add_;
};

/// Rows as they are multiplied. Those after the last are whatever was there before.
struct QuantisedRows {
  AlignedVector<uint8_t> bytes;
  float scale[IntegerLayer::kRows] = {};

  /// One row after the other, `in` bytes each.
  void take(const float* x, int rows, int in) {
    bytes.resize(std::max(bytes.size(), size_t(IntegerLayer::kRows) * size_t(in) + 64));
    for (int r = 0; r < rows; ++r)
      scale[r] = quantise(x + int64_t(r) * in, in, -128, bytes.data() + int64_t(r) * in, 64);
  }
  /// In tiles of 16 rows by 64 bytes, those of the same rows in turn.
  void take_tiles(const float* x, int rows, int in, int padded) {
    bytes.resize(std::max(bytes.size(), size_t(IntegerLayer::kRows) * size_t(padded) + 64));
    for (int r = 0; r < rows; ++r)
      scale[r] =
          quantise(x + int64_t(r) * in, in, 0, tile(r / 16, padded) + r % 16 * kLine, kTileSize);
  }
  uint8_t* tile(int rows, int padded) { return bytes.data() + int64_t(rows) * 16 * padded; }
};

/// kGroup rows with 16 x kVectors outputs. to: [kGroup][kVectors][16]. A function of its own, or
/// GCC 12 keeps no sum in a register.
template <int kVectors>
[[gnu::noinline]] void multiply(const uint8_t* x, int in, const int8_t* weights, int32_t* to) {
  __m512i sums[kGroup][kVectors];
#pragma GCC unroll 6
  for (int r = 0; r < kGroup; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[r][v] = _mm512_setzero_si512();
  for (int k = 0; k < in; k += kQuad, weights += 64 * kVectors) {
    __m512i w[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) w[v] = _mm512_load_si512(weights + 64 * v);
#pragma GCC unroll 6
    for (int r = 0; r < kGroup; ++r) {
      int32_t quad;
      std::memcpy(&quad, x + r * in + k, sizeof quad);
      const __m512i row = _mm512_set1_epi32(quad);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) add_products(sums[r][v], row, w[v]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < kGroup; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      _mm512_store_si512(to + kVector * (r * kVectors + v), sums[r][v]);
}

/// kTiles times 16 rows with 16 outputs. sums: [rows][16].
template <int kTiles>
DOCSPEC_INLINE void multiply_tiles(QuantisedRows& x, int padded, const int8_t* weights,
                                   int32_t (&sums)[IntegerLayer::kRows][kVector]) {
  _tile_zero(0);
  if constexpr (kTiles > 1) _tile_zero(1);
  if constexpr (kTiles > 2) _tile_zero(2);
  for (int at = 0; at < 16 * padded; at += kTileSize) {
    _tile_loadd(6, weights + at, kLine);
    _tile_loadd(3, x.tile(0, padded) + at, kLine);
    _tile_dpbssd(0, 3, 6);
    if constexpr (kTiles > 1) {
      _tile_loadd(4, x.tile(1, padded) + at, kLine);
      _tile_dpbssd(1, 4, 6);
    }
    if constexpr (kTiles > 2) {
      _tile_loadd(5, x.tile(2, padded) + at, kLine);
      _tile_dpbssd(2, 5, 6);
    }
  }
  _tile_stored(0, sums[0], kLine);
  if constexpr (kTiles > 1) _tile_stored(1, sums[16], kLine);
  if constexpr (kTiles > 2) _tile_stored(2, sums[32], kLine);
}

/// All outputs. Those of 16 are written while the next are multiplied.
template <LayerActivation activation>
void multiply_by_tiles(QuantisedRows& x, int rows, const IntegerWeights& weights,
                       const LayerRows& out) {
  alignas(64) int32_t sums[2][IntegerLayer::kRows][kVector];
  for (int first = 0; first < weights.outputs + kVector; first += kVector) {
    auto& next = sums[first / kVector % 2];
    const auto& last = sums[(first / kVector + 1) % 2];
    if (first < weights.outputs) {
      const int8_t* const from = weights.bytes.data() + int64_t(first) * weights.padded;
      if (rows > 32)
        multiply_tiles<3>(x, weights.padded, from, next);
      else if (rows > 16)
        multiply_tiles<2>(x, weights.padded, from, next);
      else
        multiply_tiles<1>(x, weights.padded, from, next);
    }
    settle();
    if (first == 0) continue;
    const OutputWriter writer(Strip(weights, first - kVector), 0, activation, out.add);
    float* to = out.first + first - kVector;
    for (int r = 0; r < rows; ++r, to += out.stride)
      writer.write(_mm512_load_si512(last[r]), x.scale[r], to);
  }
}

QuantisedRows& spare_rows() {
  static thread_local QuantisedRows rows;
  return rows;
}

}  // namespace

void run_int8(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
              const LayerRows& out) {
  QuantisedRows& quantised = spare_rows();
  quantised.take(x, rows, weights.in);
  alignas(64) int32_t sums[kGroup * kStrip];
  for (int first = 0; first < weights.outputs; first += kStrip)
    for (int row = 0; row < rows; row += kGroup) {
      const Strip strip(weights, first);
      constexpr auto kMultiply = std::array{multiply<1>, multiply<2>, multiply<3>, multiply<4>};
      kMultiply[size_t(strip.width / kVector - 1)](
          quantised.bytes.data() + int64_t(row) * weights.in, weights.in, strip.weights, sums);
      for (int v = 0; v < strip.width; v += kVector) {
        const OutputWriter writer(strip, v, activation, out.add);
        const __m512i offset = _mm512_load_si512(strip.sums + v);
        for (int r = row; r < std::min(row + kGroup, rows); ++r)
          writer.write(
              _mm512_sub_epi32(_mm512_load_si512(sums + (r - row) * strip.width + v), offset),
              quantised.scale[r], out.first + int64_t(r) * out.stride + first + v);
      }
    }
}

void run_tiles(const IntegerWeights& weights, const float* x, int rows, LayerActivation activation,
               const LayerRows& out) {
  QuantisedRows& quantised = spare_rows();
  quantised.take_tiles(x, rows, weights.in, weights.padded);
  const TileShapes shapes(kVector);
  settle();
  _tile_loadconfig(&shapes);
  switch (activation) {
    case LayerActivation::none:
      multiply_by_tiles<LayerActivation::none>(quantised, rows, weights, out);
      break;
    case LayerActivation::relu:
      multiply_by_tiles<LayerActivation::relu>(quantised, rows, weights, out);
      break;
    case LayerActivation::gelu:
      multiply_by_tiles<LayerActivation::gelu>(quantised, rows, weights, out);
  }
  _tile_release();
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

bool has_tile_kernel() {
  return has_amx_int8();
}

}  // namespace docspec::ppocr
#else
namespace docspec::ppocr {

bool has_int8_kernel() {
  return false;
}
void run_int8(const IntegerWeights&, const float*, int, LayerActivation, const LayerRows&) {}
bool has_tile_kernel() {
  return false;
}
void run_tiles(const IntegerWeights&, const float*, int, LayerActivation, const LayerRows&) {}

}  // namespace docspec::ppocr
#endif

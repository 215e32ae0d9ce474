#include "core/cpu_linear.h"

#include <cmath>

#include "core/cpu_linear_avx512.h"
#include "core/cpu_linear_tile.h"

namespace docspec {
namespace {

constexpr int64_t kPacked = 64;  // numbers that every kernel's step divides

struct Floats {
  static constexpr int64_t kStep = kLanes, kMostOfPart = 1024;
  using Weight = float;
  using Row = float;
  using Weights = Vector;
  using Values = Vector;
  using Sum = Vector;
  DOCSPEC_INLINE static void load(Weights& to, const Weight* from) { docspec::load(to, from); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) { docspec::load(to, from); }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) { sum += x * w; }
};

/// bf16 weights become the f32 that they are the upper half of, 32 at a time: those at even places
/// and those at odd ones, which costs one operation for 16. Rows are packed in the same order.
struct PairsOfBf16 {
  static constexpr int64_t kStep = 2 * kLanes, kMostOfPart = 1536;
  struct Pair {
    Vector even, odd;
  };
  using Weight = uint16_t;
  using Row = float;
  using Weights = Pair;
  using Values = Pair;
  using Sum = Vector;
  DOCSPEC_INLINE static void load(Weights& to, const Weight* from) {
    Integers pairs;
    docspec::load(pairs, from);
    const Integers even = pairs << 16, odd = pairs & ~0xffff;
    std::memcpy(&to.even, &even, sizeof even);
    std::memcpy(&to.odd, &odd, sizeof odd);
  }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    docspec::load(to.even, from);
    docspec::load(to.odd, from + kLanes);
  }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum += x.even * w.even;
    sum += x.odd * w.odd;
  }
};

struct WidenedInt8 {
  static constexpr int64_t kStep = kLanes, kMostOfPart = int64_t{1} << 40;
  using Weight = int8_t;
  using Row = uint8_t;
  using Weights = Integers;
  using Values = Integers;
  using Sum = Integers;
  template <class Byte>
  DOCSPEC_INLINE static void load(Integers& to, const Byte* from) {
    typedef Byte Bytes __attribute__((vector_size(kLanes)));
    Bytes bytes;
    docspec::load(bytes, from);
    to = __builtin_convertvector(bytes, Integers);
  }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) { load(to, from); }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) { sum += x * w; }
};

DOCSPEC_FOR_EACH_CPU void linear_f32(const LinearRows& x, const LinearWeights& weights,
                                     int64_t first, int64_t last, float* out, int64_t out_row) {
  share<Floats>(x, weights, first, last, out, out_row);
}
DOCSPEC_FOR_EACH_CPU void linear_bf16(const LinearRows& x, const LinearWeights& weights,
                                      int64_t first, int64_t last, float* out, int64_t out_row) {
  share<PairsOfBf16>(x, weights, first, last, out, out_row);
}
DOCSPEC_FOR_EACH_CPU void linear_int8(const LinearRows& x, const LinearWeights& weights,
                                      int64_t first, int64_t last, float* out, int64_t out_row) {
  share<WidenedInt8>(x, weights, first, last, out, out_row);
}

/// Even places of each 32 first, then odd ones; n is a multiple of 32.
DOCSPEC_FOR_EACH_CPU void part_pairs(const float* x, int64_t n, float* to) {
  for (int64_t i = 0; i < n; i += 2 * kLanes) {
    Vector a, b;
    load(a, x + i);
    load(b, x + i + kLanes);
    store(to + i,
          __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    store(to + i + kLanes,
          __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  }
}

/// Returns the row's scale.
DOCSPEC_FOR_EACH_CPU float quantize(const float* x, int64_t n, uint8_t* to) {
  float largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float size = std::fabs(x[i]);
    largest = size > largest ? size : largest;
  }
  const float inverse = largest > 0 ? kLargestInt8 / largest : 0;
  constexpr float kRound = 12582912;  // 1.5 x 2^23: a sum with it is rounded to whole numbers
  for (int64_t i = 0; i < n; ++i) {
    const float shifted = DOCSPEC_ROUNDED(x[i] * inverse) + kRound;
    uint32_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    to[i] = uint8_t(bits + 128);
  }
  return largest / kLargestInt8;
}

using Kernel = void (*)(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t);

Kernel kernel_of(WeightType type) {
  static const bool vnni = has_avx512_vnni();
  if (type == WeightType::f32) return linear_f32;
  if (type == WeightType::bf16) return linear_bf16;
  return vnni ? linear_avx512_vnni : linear_int8;
}

}  // namespace

void pack_linear_rows(WeightType type, const float* x, int64_t x_row, int64_t rows, int64_t in,
                      LinearRows& to) {
  const bool bytes = type == WeightType::int8;
  const int64_t size = bytes ? 1 : sizeof(float);
  const int64_t whole = (in + kPacked - 1) / kPacked * kPacked;
  to.rows = rows;
  to.in = in;
  to.stride = whole * size / int64_t(sizeof(LinearRows::Line));
  to.data.resize(size_t(rows * to.stride));
  to.scale.resize(bytes ? size_t(rows) : 0);
  for (int64_t r = 0; r < rows; ++r) {
    std::byte* row = to.data[size_t(r * to.stride)].bytes;
    if (whole != in) std::memset(row, 0, size_t(whole * size));
    const float* from = x + r * x_row;
    if (bytes)
      to.scale[size_t(r)] = quantize(from, in, reinterpret_cast<uint8_t*>(row));
    else
      std::memcpy(row, from, size_t(in) * sizeof(float));
    auto* floats = reinterpret_cast<float*>(row);
    if (type == WeightType::bf16) part_pairs(floats, whole, floats);
  }
}

void cpu_linear(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                float* out, int64_t out_row) {
  kernel_of(weights.type)(x, weights, first, last, out, out_row);
}

const char* linear_instructions(WeightType type) {
  if (type == WeightType::int8 && has_avx512_vnni()) return "AVX512-VNNI";
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("fma")) return "AVX2";
#endif
  return "the build's own";
}

}  // namespace docspec

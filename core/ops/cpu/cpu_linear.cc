#include "core/ops/cpu/cpu_linear.h"

#include <cmath>

#include "core/ops/cpu/cpu_linear_amx.h"
#include "core/ops/cpu/cpu_linear_avx512.h"
#include "core/ops/cpu/cpu_linear_tile.h"

namespace docspec {
namespace {

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

float pack_floats(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  const size_t used = size_t(in) * sizeof(float);
  std::memcpy(to, x, used);
  std::memset(to + used, 0, size_t(bytes) - used);
  return 1;
}

/// Rounded to bf16 and widened again; of each 32 those at even places first, then odd ones.
DOCSPEC_FOR_EACH_CPU float pack_pairs(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  pack_floats(x, in, to, bytes);
  auto* floats = reinterpret_cast<float*>(to);
  for (int64_t i = 0; i < bytes / int64_t(sizeof(float)); i += 2 * kLanes) {
    Vector a, b;
    load(a, floats + i);
    load(b, floats + i + kLanes);
    round_to_bf16(a);
    round_to_bf16(b);
    store(floats + i,
          __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    store(floats + i + kLanes,
          __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  }
  return 1;
}

/// The upper halves of floats rounded to bf16.
DOCSPEC_FOR_EACH_CPU float pack_halves(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  std::memset(to, 0, size_t(bytes));
  for (int64_t i = 0; i < in; i += kLanes) {
    Vector a{};
    std::memcpy(&a, x + i, size_t(std::min(kLanes, in - i)) * sizeof(float));
    round_to_bf16(a);
    Integers bits;
    std::memcpy(&bits, &a, sizeof bits);
    typedef uint16_t Halves __attribute__((vector_size(2 * kLanes)));
    const auto halves = __builtin_convertvector(bits >> 16, Halves);
    std::memcpy(to + 2 * i, &halves, sizeof halves);
  }
  return 1;
}

DOCSPEC_FOR_EACH_CPU float pack_bytes(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  float largest = 0;
  for (int64_t i = 0; i < in; ++i) {
    const float size = std::fabs(x[i]);
    largest = size > largest ? size : largest;
  }
  const float inverse = largest > 0 ? kLargestInt8 / largest : 0;
  constexpr float kRound = 12582912;  // 1.5 x 2^23: a sum with it is rounded to whole numbers
  auto* numbers = reinterpret_cast<uint8_t*>(to);
  for (int64_t i = 0; i < in; ++i) {
    const float shifted = DOCSPEC_ROUNDED(x[i] * inverse) + kRound;
    uint32_t bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    numbers[i] = uint8_t(bits + 128);
  }
  std::memset(to + in, 0, size_t(bytes - in));
  return largest / kLargestInt8;
}

const char* portable_instructions() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("fma")) return "AVX2";
#endif
  return "the build's own";
}

/// Kernels of one type in the order of their speed.
std::vector<LinearKernel> kernels_of(WeightType type) {
  constexpr int64_t kSome = 64,
                    kMany = 128;  // rows: to interleave them costs little compared with the weights
  constexpr int64_t kFour = 4, kTiles = 32;  // outputs
  std::vector<LinearKernel> out;
  if (type == WeightType::bf16) {
    if (has_amx_bf16())
      out.push_back({"AMX", 2, kTiles, kMany, pack_halves, weave_rows, linear_amx_bf16});
    if (has_avx512_bf16())
      out.push_back({"AVX512-BF16", 2, kFour, kSome, pack_halves, nullptr, linear_avx512_bf16});
    out.push_back({portable_instructions(), 4, kFour, kSome, pack_pairs, nullptr, linear_bf16});
  } else if (type == WeightType::int8) {
    if (has_amx_int8())
      out.push_back({"AMX", 1, kTiles, kMany, pack_bytes, weave_rows, linear_amx_int8});
    if (has_avx512_vnni())
      out.push_back({"AVX512-VNNI", 1, kFour, kSome, pack_bytes, nullptr, linear_avx512_vnni});
    out.push_back({portable_instructions(), 1, kFour, kSome, pack_bytes, nullptr, linear_int8});
  } else {
    out.push_back({portable_instructions(), 4, kFour, kSome, pack_floats, nullptr, linear_f32});
  }
  return out;
}

}  // namespace

void LinearRows::reset(const LinearKernel& kernel, int64_t rows, int64_t in) {
  kernel_ = &kernel;
  rows_ = rows;
  in_ = in;
  constexpr int64_t kStep = 64;  // numbers that every kernel's step divides
  stride_ = (in + kStep - 1) / kStep * kStep * kernel.number_bytes / int64_t(sizeof(Line));
  const int64_t width = kernel.weave ? block_width(rows) : 1;
  data_.resize(size_t((rows + width - 1) / width * width * stride_));
  scale_.resize(size_t(rows));
}

void LinearRows::pack(const float* x, int64_t x_row, int64_t first, int64_t last) {
  static thread_local std::vector<Line> rows;
  const auto bytes = stride_ * int64_t(sizeof(Line));
  for (; first < last; first += kBlock) {
    const int64_t count = std::min(kBlock, last - first);
    Line* const block = data_.data() + first * stride_;
    if (kernel_->weave) rows.resize(size_t(count * stride_));
    Line* const to = kernel_->weave ? rows.data() : block;
    for (int64_t r = 0; r < count; ++r)
      scale_[size_t(first + r)] =
          kernel_->pack(x + (first + r) * x_row, in_, to[r * stride_].bytes, bytes);
    if (kernel_->weave) kernel_->weave(to, count, block_width(rows_), stride_, block);
  }
}

std::span<const LinearKernel> linear_kernels(WeightType type) {
  static const std::vector<LinearKernel> kernels[] = {
      kernels_of(WeightType::f32), kernels_of(WeightType::bf16), kernels_of(WeightType::int8)};
  return kernels[size_t(type)];
}

}  // namespace docspec

#include "core/ops/cpu/cpu_linear.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/cpu/cpu_linear_amx.h"
#include "core/ops/cpu/cpu_linear_avx.h"
#include "core/ops/cpu/cpu_linear_tile.h"
#include "core/ops/cpu/instruction_set.h"

namespace docspec {
namespace {

/// Shared by the kinds of weights: steps of sixteen numbers, or pairs.
template <class W>
struct Sixteen : PlainColumns<W> {
  static constexpr int kTall = 4;
  static constexpr int wide(int) { return 4; }
  static constexpr bool kHasPart = true;
  DOCSPEC_INLINE static void prefetch(const W* from) { fetch(from); }
};

struct Floats : Sixteen<float> {
  static constexpr int64_t kStep = kLanes, kMostOfPart = 1024;
  using Row = float;
  using Weights = Vector;
  using Values = Vector;
  using Sum = Vector;
  DOCSPEC_INLINE static void load(Weights& to, const float* from) { docspec::load(to, from); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) { docspec::load(to, from); }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) { sum += x * w; }
  DOCSPEC_INLINE static float total(const Sum& sum) { return sum_of(sum); }
};

/// bf16 weights become the f32 that they are the upper half of, 32 at a time: those at even places
/// and those at odd ones, which costs one operation for 16. Rows are packed in the same order.
struct PairsOfBf16 : Sixteen<uint16_t> {
  static constexpr int64_t kStep = 2 * kLanes, kMostOfPart = 1536;
  struct Pair {
    Vector even, odd;
  };
  using Row = float;
  using Weights = Pair;
  using Values = Pair;
  using Sum = Vector;
  DOCSPEC_INLINE static void load(Weights& to, const uint16_t* from) {
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
  DOCSPEC_INLINE static float total(const Sum& sum) { return sum_of(sum); }
};

struct WidenedInt8 : Sixteen<int8_t> {
  static constexpr int64_t kStep = kLanes, kMostOfPart = int64_t{1} << 40;
  static constexpr int32_t kOffset = 128;
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
  DOCSPEC_INLINE static int32_t total(const Sum& sum) { return sum_of(sum); }
};

void linear_f32(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                float* out, int64_t out_row) {
  for_each_cpu([&](auto) DOCSPEC_INLINED { share<Floats>(x, weights, first, last, out, out_row); });
}
void linear_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                 float* out, int64_t out_row) {
  for_each_cpu([&](auto)
                   DOCSPEC_INLINED { share<PairsOfBf16>(x, weights, first, last, out, out_row); });
}
void linear_int8(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                 float* out, int64_t out_row) {
  for_each_cpu([&](auto)
                   DOCSPEC_INLINED { share<WidenedInt8>(x, weights, first, last, out, out_row); });
}

float pack_floats(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  const size_t used = size_t(in) * sizeof(float);
  std::memcpy(to, x, used);
  std::memset(to + used, 0, size_t(bytes) - used);
  return 1;
}

/// Rounded to bf16 and widened again; of each 32 those at even places first, then odd ones.
float pack_pairs(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return for_each_cpu([=](auto) DOCSPEC_INLINED {
    pack_floats(x, in, to, bytes);
    auto* floats = reinterpret_cast<float*>(to);
    for (int64_t i = 0; i < bytes / int64_t(sizeof(float)); i += 2 * kLanes) {
      Vector a, b;
      load(a, floats + i);
      load(b, floats + i + kLanes);
      round_to_bf16(a);
      round_to_bf16(b);
      store(floats + i, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                                                26, 28, 30));
      store(floats + i + kLanes, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                                         21, 23, 25, 27, 29, 31));
    }
    return 1.0f;
  });
}

/// Likewise of each 16.
float pack_short_pairs(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return for_each_cpu([=](auto) DOCSPEC_INLINED {
    pack_floats(x, in, to, bytes);
    auto* floats = reinterpret_cast<float*>(to);
    for (int64_t i = 0; i < bytes / int64_t(sizeof(float)); i += kLanes) {
      Vector a;
      load(a, floats + i);
      round_to_bf16(a);
      store(floats + i,
            __builtin_shufflevector(a, a, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
    }
    return 1.0f;
  });
}

/// Writes each register of x as convert(numbers, out) makes it, the last one as far as x goes, and
/// zeros up to `bytes`.
template <class V, class Out, class Convert>
DOCSPEC_INLINE void pack_registers(const float* x, int64_t in, std::byte* to, int64_t bytes,
                                   const Convert& convert) {
  constexpr int64_t kOnce = kLanesOf<V>, kBytes = int64_t(sizeof(Out)) / kOnce;  // of a number
  Out out;
  int64_t i = 0;
  for (; i + kOnce <= in; i += kOnce) {
    V numbers;
    load(numbers, x + i);
    convert(numbers, out);
    store(to + kBytes * i, out);
  }
  std::memset(to + kBytes * i, 0, size_t(bytes - kBytes * i));
  if (i < in) {
    V numbers{};
    std::memcpy(&numbers, x + i, size_t(in - i) * sizeof *x);
    convert(numbers, out);
    std::memcpy(to + kBytes * i, &out, size_t(kBytes * (in - i)));
  }
}

/// The upper halves of floats rounded to bf16.
float pack_halves(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return for_each_cpu([=](auto) DOCSPEC_INLINED {
    using Halves = VectorOf<uint16_t, 2 * kLanes>::Type;
    pack_registers<Vector, Halves>(x, in, to, bytes,
                                   [](Vector& numbers, Halves& halves) DOCSPEC_INLINED {
                                     round_to_bf16(numbers);
                                     Integers bits;
                                     std::memcpy(&bits, &numbers, sizeof bits);
                                     halves = __builtin_convertvector(bits >> 16, Halves);
                                   });
    return 1.0f;
  });
}

/// Whole numbers of -127 to 127 and `offset`.
float pack_with(int offset, const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    using Bytes = typename VectorOf<uint8_t, kLanesOf<V>>::Type;
    const float largest = largest_size<V>(x, in);
    const float inverse = largest > 0 ? kLargestInt8 / largest : 0;
    constexpr float kRound = 12582912;  // 1.5 x 2^23: a sum with it is rounded to whole numbers
    pack_registers<V, Bytes>(x, in, to, bytes, [=](V& numbers, Bytes& whole) DOCSPEC_INLINED {
      numbers *= inverse;
      settle_rounded(numbers);
      numbers += kRound;
      IntegersOf<V> bits;
      std::memcpy(&bits, &numbers, sizeof bits);
      whole = __builtin_convertvector(bits + offset, Bytes);
    });
    return largest / kLargestInt8;
  });
}
float pack_bytes(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return pack_with(128, x, in, to, bytes);
}
float pack_signed(const float* x, int64_t in, std::byte* to, int64_t bytes) {
  return pack_with(0, x, in, to, bytes);
}

const char* portable_instructions() {
  const InstructionSet set = instruction_set();
  return set == InstructionSet::avx512 ? "AVX-512"
         : set == InstructionSet::avx2 ? "AVX2"
                                       : "the build's own";
}

/// int4 by the portable kernel of int8.
void linear_int4(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                 float* out, int64_t out_row) {
  multiply_expanded(x, weights, first, last, out, out_row, expand_int4, linear_int8);
}

/// Tiles of eight rows, the last ones of four, two or one, which go through a product together: of
/// each line those of all rows side by side; rows that are missing are zero.
void weave_lines(const LinearRows::Line* rows, int64_t count, int64_t, int64_t stride,
                 LinearRows::Line* to) {
  while (count > 0) {
    const int64_t tile = count > 4 ? 8 : count > 2 ? 4 : count, here = std::min(tile, count);
    for (int64_t line = 0; line < stride; ++line)
      for (int64_t r = 0; r < tile; ++r)
        to[line * tile + r] = r < here ? rows[r * stride + line] : LinearRows::Line{};
    rows += here * stride;
    to += tile * stride;
    count -= here;
  }
}

/// Kernels of one type in the order of their speed.
std::vector<LinearKernel> kernels_of(WeightType type) {
  constexpr int64_t kSome = 64,
                    kMany = 128;  // rows: to interleave them costs little compared with the weights
  constexpr int64_t kFour = 4, kTiles = 32;  // outputs
  const char* const portable = portable_instructions();
  const bool avx512 = instruction_set() == InstructionSet::avx512;
  std::vector<LinearKernel> out;
  switch (type) {
    case WeightType::f32:
      if (avx512) out.push_back({portable, 4, kFour, kSome, pack_floats, nullptr, linear_f32});
      if (has_avx2())
        out.push_back({"AVX2", 4, kFour, kSome, pack_floats, nullptr, linear_avx2_f32});
      if (!avx512) out.push_back({portable, 4, kFour, kSome, pack_floats, nullptr, linear_f32});
      break;
    case WeightType::bf16:
      if (has_amx_bf16())
        out.push_back({"AMX", 2, kTiles, kMany, pack_halves, weave_rows, linear_amx_bf16});
      if (has_avx512_bf16())
        out.push_back(
            {"AVX512-BF16", 2, kFour, kMany, pack_halves, weave_lines, linear_avx512_bf16});
      if (avx512) out.push_back({portable, 4, kFour, kSome, pack_pairs, nullptr, linear_bf16});
      if (has_avx2())
        out.push_back({"AVX2", 4, kFour, kSome, pack_short_pairs, nullptr, linear_avx2_bf16});
      if (!avx512) out.push_back({portable, 4, kFour, kSome, pack_pairs, nullptr, linear_bf16});
      break;
    case WeightType::int8:
    case WeightType::int4: {
      const bool int8 = type == WeightType::int8;
      if (has_amx_int8() && (int8 || has_avx512_vnni()))
        out.push_back({"AMX", 1, kTiles, kMany, pack_bytes, weave_rows,
                       int8 ? linear_amx_int8 : linear_amx_int4});
      if (has_avx512_vnni())
        out.push_back({"AVX512-VNNI", 1, kFour, kMany, pack_bytes, weave_lines,
                       int8 ? linear_avx512_vnni : linear_avx512_int4});
      if (has_avx2())
        out.push_back({"AVX2", 1, kFour, kSome, pack_signed, nullptr,
                       int8 ? linear_avx2_int8 : linear_avx2_int4});
      out.push_back(
          {portable, 1, kFour, kSome, pack_bytes, nullptr, int8 ? linear_int8 : linear_int4});
      break;
    }
  }
  return out;
}

}  // namespace

void LinearRows::reset(const LinearKernel& kernel, int64_t rows, int64_t in) {
  kernel_ = &kernel;
  rows_ = rows;
  in_ = in;
  constexpr int64_t kStep = 64;  // numbers that every kernel's step divides
  stride_ = round_up(in, kStep) * kernel.number_bytes / int64_t(sizeof(Line));
  // Woven rows come in twos, fours, eights or whole blocks.
  const int64_t woven = int64_t(std::bit_ceil(uint64_t(std::clamp(rows, int64_t{1}, kBlock))));
  data_.resize(size_t((kernel.weave ? round_up(rows, woven) : rows) * stride_));
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
      kernels_of(WeightType::f32), kernels_of(WeightType::bf16), kernels_of(WeightType::int8),
      kernels_of(WeightType::int4)};
  return kernels[size_t(type)];
}

}  // namespace docspec

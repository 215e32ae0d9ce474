#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/ops/cpu/instruction_set.h"

// Shared by the kernels for main memory. A kernel's body is compiled for several instruction sets,
// and each call takes the one that the processor has (for_each_cpu). Everything is inlined into
// that one function (DOCSPEC_INLINE). The body is told how wide the registers are: GCC 12 moves
// vectors that are wider to memory and back, and compares them lane by lane.
#define DOCSPEC_INLINE [[gnu::always_inline]] inline
#define DOCSPEC_INLINED __attribute__((always_inline))  // of a lambda

namespace docspec {
namespace {  // a function of each file: two files may be compiled for different processors

/// Rows of numbers are padded to so many: those of the widest registers.
constexpr int64_t kLanes = 16;

using Vector = float __attribute__((vector_size(64)));
using Integers = int32_t __attribute__((vector_size(64)));

/// A vector of T's that fills kBytes.
template <class T, int kBytes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kBytes)));
};
/// Registers of a processor, of kBytes.
template <int kBytes>
struct Registers {
  using Vector = typename VectorOf<float, kBytes>::Type;
};

/// Of a vector of floats: its lanes, and as many integers.
template <class V>
constexpr int64_t kLanesOf = int64_t(sizeof(V) / sizeof(float));
template <class V>
using IntegersOf = typename VectorOf<int32_t, sizeof(V)>::Type;

template <class V, class T>
DOCSPEC_INLINE void load(V& x, const T* from) {
  std::memcpy(&x, from, sizeof x);
}
template <class V, class T>
DOCSPEC_INLINE void store(T* to, const V& x) {
  std::memcpy(to, &x, sizeof x);
}

/// Rounds a product before it is added to, on every processor: what a barrier in the expression
/// should do, but GCC 12 forgets it where it vectorizes a loop.
template <class T>
DOCSPEC_INLINE void settle_rounded(T& product) {
  __asm__("" : "+m"(product));
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
template <class Body>
[[gnu::target("avx512f")]] auto with_avx512(Body body) {
  return body(Registers<64>());
}
template <class Body>
[[gnu::target("avx2,fma")]] auto with_avx2(Body body) {
  return body(Registers<32>());
}
/// Runs a lambda that is DOCSPEC_INLINED, compiled for the instructions in use; it takes their
/// Registers.
template <class Body>
auto for_each_cpu(Body body) {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return with_avx512(body);
    case InstructionSet::avx2:
      return with_avx2(body);
    default:
      return body(Registers<16>());
  }
}
#else
template <class Body>
auto for_each_cpu(Body body) {
  return body(Registers<16>());
}
#endif

/// Four lanes that are sums of all: the first step of sum_of.
template <class V>
DOCSPEC_INLINE void fold(const V& x, auto& four) {
  if constexpr (sizeof(V) == 64) {
    const auto half = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    fold(half, four);
  } else if constexpr (sizeof(V) == 32) {
    four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  } else {
    four = x;
  }
}
/// Lanes of a vector added in one fixed order.
template <class V>
DOCSPEC_INLINE auto sum_of(const V& x) {
  typename VectorOf<std::remove_cvref_t<decltype(x[0])>, 16>::Type four;
  fold(x, four);
  return (four[0] + four[2]) + (four[1] + four[3]);
}

/// The sums of four vectors' lanes, each in the order of sum_of. Four: of four lanes.
template <class Four>
DOCSPEC_INLINE void sums_of(const Four& a, const Four& b, const Four& c, const Four& d, Four& all) {
  const Four ab =
      __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
  const Four cd =
      __builtin_shufflevector(c, d, 0, 1, 4, 5) + __builtin_shufflevector(c, d, 2, 3, 6, 7);
  all = __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
}

/// sum_of of sixteen vectors of 64 bytes, by the same additions: that of sums[i][k] in lane 4 i +
/// k.
template <class V>
DOCSPEC_INLINE void sums_of(const V (&sums)[4][4], V& all) {
  V quarter[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    V half[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const V &a = sums[2 * i][k], &b = sums[2 * i + 1][k];
      half[i] =
          __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
          __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                  31);
    }
    quarter[k] = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19,
                                         24, 25, 26, 27) +
                 __builtin_shufflevector(half[0], half[1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22,
                                         23, 28, 29, 30, 31);
  }
  V pair[2];
#pragma GCC unroll 2
  for (int k = 0; k < 2; ++k)
    pair[k] = __builtin_shufflevector(quarter[2 * k], quarter[2 * k + 1], 0, 1, 16, 17, 4, 5, 20,
                                      21, 8, 9, 24, 25, 12, 13, 28, 29) +
              __builtin_shufflevector(quarter[2 * k], quarter[2 * k + 1], 2, 3, 18, 19, 6, 7, 22,
                                      23, 10, 11, 26, 27, 14, 15, 30, 31);
  all = __builtin_shufflevector(pair[0], pair[1], 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14,
                                28, 30) +
        __builtin_shufflevector(pair[0], pair[1], 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15,
                                29, 31);
}

/// The largest absolute value of x[0..n), by the bits of the sizes, which are in their order.
template <class V>
DOCSPEC_INLINE float largest_size(const float* x, int64_t n) {
  using Integers = IntegersOf<V>;
  Integers most = {};
  for (int64_t i = 0; i < n; i += kLanesOf<V>) {
    Integers bits = {};
    if (i + kLanesOf<V> <= n)
      load(bits, x + i);
    else
      std::memcpy(&bits, x + i, size_t(n - i) * sizeof *x);
    bits &= 0x7fffffff;
    most = bits > most ? bits : most;
  }
  int32_t all = 0;
  for (int i = 0; i < kLanesOf<V>; ++i) all = most[i] > all ? most[i] : all;
  float largest;
  std::memcpy(&largest, &all, sizeof largest);
  return largest;
}

/// Each lane to the nearest bf16, ties to even; a NaN stays one.
template <class V>
DOCSPEC_INLINE void round_to_bf16(V& x) {
  using Integers = IntegersOf<V>;
  Integers bits;
  std::memcpy(&bits, &x, sizeof bits);
  const Integers number = x == x;
  const Integers rounded = bits + 0x7fff + ((bits >> 16) & 1);
  bits = (number ? rounded : bits | 0x400000) & ~0xffff;
  std::memcpy(&x, &bits, sizeof bits);
}

/// e^x of each lane to 2 ulp, x <= 0; exactly 0 where x < -87.
template <class V>
DOCSPEC_INLINE void exponential(V& x) {
  using Integers = IntegersOf<V>;
  const Integers alive = x > -87.0f;
  x = alive ? x : V{} - 87.0f;
  const Integers n = __builtin_convertvector(x * 1.44269504088896341f - 0.5f, Integers);  // nearest
  const V whole = __builtin_convertvector(n, V);
  V r = x - whole * 0.693359375f;
  r = r - whole * -2.12194440e-4f;
  V p = r * 1.9875691500e-4f + 1.3981999507e-3f;  // Cephes' polynomial of e^r
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Integers bits = (n + 127) << 23;
  V power;
  std::memcpy(&power, &bits, sizeof power);
  x = alive ? p * power : V{};
}

/// 1 / (1 + e^-x) of each lane.
template <class V>
DOCSPEC_INLINE void logistic(V& x) {
  V e = x < 0.0f ? x : -x;
  exponential(e);  // e^-|x|: neither end overflows
  x = (x < 0.0f ? e : V{} + 1.0f) / (1.0f + e);
}

}  // namespace
}  // namespace docspec

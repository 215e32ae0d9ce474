#pragma once

#include <cstdint>
#include <cstring>

#include "core/ops/cpu/instruction_set.h"

// Shared by the kernels for main memory. A kernel's body is compiled for several instruction sets,
// and each call takes the one that the processor has (for_each_cpu). Everything is inlined into
// that one function (DOCSPEC_INLINE). Vectors of 16 floats become one register or more.
#define DOCSPEC_INLINE [[gnu::always_inline]] inline
#define DOCSPEC_INLINED __attribute__((always_inline))  // of a lambda

namespace docspec {
namespace {  // a function of each file: two files may be compiled for different processors

constexpr int64_t kLanes = 16;

using Vector = float __attribute__((vector_size(64)));
using Integers = int32_t __attribute__((vector_size(64)));

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
  return body();
}
template <class Body>
[[gnu::target("avx2,fma")]] auto with_avx2(Body body) {
  return body();
}
/// Runs a lambda that is DOCSPEC_INLINED, compiled for the instructions in use.
template <class Body>
auto for_each_cpu(Body body) {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return with_avx512(body);
    case InstructionSet::avx2:
      return with_avx2(body);
    default:
      return body();
  }
}
#else
template <class Body>
auto for_each_cpu(Body body) {
  return body();
}
#endif

/// Lanes of a Vector or Integers added in one fixed order.
template <class V>
DOCSPEC_INLINE auto sum_of(const V& x) {
  const auto half = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  const auto quarter = __builtin_shufflevector(half, half, 0, 1, 2, 3) +
                       __builtin_shufflevector(half, half, 4, 5, 6, 7);
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

/// Each lane to the nearest bf16, ties to even; a NaN stays one.
DOCSPEC_INLINE void round_to_bf16(Vector& x) {
  Integers bits;
  std::memcpy(&bits, &x, sizeof bits);
  const Integers number = x == x;
  const Integers rounded = bits + 0x7fff + ((bits >> 16) & 1);
  bits = (number ? rounded : bits | 0x400000) & ~0xffff;
  std::memcpy(&x, &bits, sizeof bits);
}

/// e^x of each lane to 2 ulp, x <= 0; exactly 0 where x < -87.
DOCSPEC_INLINE void exponential(Vector& x) {
  const Integers alive = x > -87.0f;
  x = alive ? x : Vector{} - 87.0f;
  const Integers n = __builtin_convertvector(x * 1.44269504088896341f - 0.5f, Integers);  // nearest
  const Vector whole = __builtin_convertvector(n, Vector);
  Vector r = x - whole * 0.693359375f;
  r = r - whole * -2.12194440e-4f;
  Vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;  // Cephes' polynomial of e^r
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Integers bits = (n + 127) << 23;
  Vector power;
  std::memcpy(&power, &bits, sizeof power);
  x = alive ? p * power : Vector{};
}

/// 1 / (1 + e^-x) of each lane.
DOCSPEC_INLINE void logistic(Vector& x) {
  Vector e = x < 0.0f ? x : -x;
  exponential(e);  // e^-|x|: neither end overflows
  x = (x < 0.0f ? e : Vector{} + 1.0f) / (1.0f + e);
}

}  // namespace
}  // namespace docspec

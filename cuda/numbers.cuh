#pragma once

// The numbers that tensors hold, as kernels read and write them; the same bits on host and device.
#include <cstring>

#include "cuda/phases.h"

namespace docspec::cuda {

DOCSPEC_HD float float_of_bits(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
#endif
}

DOCSPEC_HD uint32_t bits_of_float(float x) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(x);
#else
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
#endif
}

/// The upper half of a float.
struct Bfloat16 {
  uint16_t bits;
};

DOCSPEC_HD float wide(float x) {
  return x;
}
DOCSPEC_HD float wide(Bfloat16 x) {
  return float_of_bits(uint32_t(x.bits) << 16);
}

/// x as a T; ties to even, no NaN is expected.
template <class T>
DOCSPEC_HD T narrow(float x) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return x;
  } else {
    const uint32_t bits = bits_of_float(x);
    return {uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
  }
}

/// Sixteen bytes of numbers, read at once.
template <class T>
struct alignas(16) Sixteen {
  T number[16 / sizeof(T)];
};
/// Those at `from`, a multiple of 16 bytes.
template <class T>
DOCSPEC_HD Sixteen<T> sixteen(const T* from) {
  return *reinterpret_cast<const Sixteen<T>*>(from);
}
template <class T>
DOCSPEC_HD void widen(const Sixteen<T>& from, float* to) {
  DOCSPEC_UNROLL
  for (int i = 0; i < int(16 / sizeof(T)); ++i) to[i] = wide(from.number[i]);
}
template <class T>
DOCSPEC_HD void widen(const T* from, float* to) {
  widen(sixteen(from), to);
}

/// Two of them in a word, `low` first.
DOCSPEC_HD uint32_t pack(Bfloat16 low, Bfloat16 high) {
  return low.bits | uint32_t(high.bits) << 16;
}
DOCSPEC_HD uint32_t pack(float low, float high) {
  return pack(narrow<Bfloat16>(low), narrow<Bfloat16>(high));
}

}  // namespace docspec::cuda

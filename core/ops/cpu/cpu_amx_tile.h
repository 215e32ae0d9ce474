#pragma once

// Shared by the kernels for AMX. It is included after their pragma for the instruction set, so that
// all of it is compiled for that; the standard headers must be included before the pragma.

#include <immintrin.h>

#include <array>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

// A tile is 16 lines of 64 bytes. The two tiles of a product's left side (4 and 5) hold 16 rows by
// one line each, those of its right side (6 and 7) 16 words by up to 16 columns; tiles 0 to 3 are
// the four products, [left][right].
constexpr int64_t kTile = 16, kLine = 64;

using Tile = std::array<Integers, kTile>;

/// Palette 1; `width`: columns of the right side.
struct alignas(64) TileShapes {
  uint8_t palette = 1, start = 0, reserved[14] = {};
  uint16_t bytes[16] = {};
  uint8_t lines[16] = {};

  explicit TileShapes(int64_t width) {
    for (int i = 0; i < 8; ++i) {
      lines[i] = kTile;
      bytes[i] = uint16_t(i == 4 || i == 5 ? kLine : 4 * width);
    }
  }
};

/// The compiler does not see what tile loads read: this makes sure that all earlier writes are in
/// memory.
DOCSPEC_INLINE void settle() {
  asm volatile("" ::: "memory");
}

template <bool int8, int tile>
DOCSPEC_INLINE void multiply_tiles() {
  if constexpr (int8) {
    if constexpr (tile == 0) {
      _tile_dpbsud(0, 4, 6);
    }
    if constexpr (tile == 1) {
      _tile_dpbsud(1, 4, 7);
    }
    if constexpr (tile == 2) {
      _tile_dpbsud(2, 5, 6);
    }
    if constexpr (tile == 3) {
      _tile_dpbsud(3, 5, 7);
    }
  } else {
    if constexpr (tile == 0) {
      _tile_dpbf16ps(0, 4, 6);
    }
    if constexpr (tile == 1) {
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (tile == 2) {
      _tile_dpbf16ps(2, 5, 6);
    }
    if constexpr (tile == 3) {
      _tile_dpbf16ps(3, 5, 7);
    }
  }
}

/// Where the lanes of one of two vectors come from when the off-diagonal quarters of squares of
/// side 2 * d are exchanged; 16 and more = the second vector.
template <int d, bool second>
constexpr std::array<int32_t, kTile> exchanged() {
  std::array<int32_t, kTile> from{};
  for (int i = 0; i < kTile; ++i)
    from[size_t(i)] = i & d ? kTile + i - (second ? 0 : d) : i + (second ? d : 0);
  return from;
}

/// Exchanges the off-diagonal quarters of all squares of side 2 * d.
template <int d>
DOCSPEC_INLINE void exchange(Tile& x) {
  alignas(64) static constexpr auto kFirst = exchanged<d, false>(), kSecond = exchanged<d, true>();
  const __m512i first = _mm512_load_si512(kFirst.data()),
                second = _mm512_load_si512(kSecond.data());
  for (size_t i = 0; i < kTile; ++i) {
    if (i & d) continue;
    const auto a = __m512i(x[i]), b = __m512i(x[i + d]);
    x[i] = Integers(_mm512_permutex2var_epi32(a, first, b));
    x[i + d] = Integers(_mm512_permutex2var_epi32(a, second, b));
  }
}

DOCSPEC_INLINE void transpose(Tile& x) {
  exchange<8>(x);
  exchange<4>(x);
  exchange<2>(x);
  exchange<1>(x);
}

}  // namespace
}  // namespace docspec

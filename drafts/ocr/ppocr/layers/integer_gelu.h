#pragma once

#include "core/ops/cpu/cpu_vector.h"

// Included by files that are compiled for different processors.
namespace docspec::ppocr {
namespace {

/// x times the normal distribution's share below x, of each lane. A polynomial that is clamped:
/// 2e-4 at most from it, a tenth of what int8 rounds off.
template <class V>
DOCSPEC_INLINE void gelu(V& x) {
  const V end = V{} + 4.0f;
  V c = x < end ? x : end;
  c = c > -end ? c : -end;
  const V s = c * c;
  V p = V{} + 2.27814701e-8f;
  p = p * s - 1.5986037e-6f;
  p = p * s + 4.79555434e-5f;
  p = p * s - 8.1401567e-4f;
  p = p * s + 8.77238908e-3f;
  p = p * s - 6.45731121e-2f;
  p = p * s + 3.9788335e-1f;
  x = x * (p * c + 0.5f);
}

}  // namespace
}  // namespace docspec::ppocr

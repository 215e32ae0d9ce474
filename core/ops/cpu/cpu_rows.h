#pragma once

#include <cstdint>

namespace docspec {

// Operations of a language model on one row between its products, on plain f32 memory. Each output
// depends on its own row alone, in a fixed order.

/// out = weight * (x / root mean square of x). x, weight, out: [d].
void cpu_rms_norm(const float* x, const float* weight, int64_t d, float eps, float* out);

/// Turns `heads` heads of `dim` numbers by the angles of cos, sin: [dim], each angle twice (the
/// halves of a head turn together). x, out: [heads, dim].
void cpu_rotate(const float* x, const float* cos, const float* sin, int64_t heads, int64_t dim,
                float* out);

/// out = silu(gate) * up; all [n]; `out` may be `up`.
void cpu_swiglu(const float* gate, const float* up, int64_t n, float* out);

/// The numbers of n bf16 (their bits), and back, each rounded to the nearest.
void cpu_widen(const uint16_t* x, int64_t n, float* out);
void cpu_round(const float* x, int64_t n, uint16_t* out);

}  // namespace docspec

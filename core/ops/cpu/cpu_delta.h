#pragma once

#include <cstdint>

namespace docspec {

// The gated delta rule (share/doc/recurrent.md) of one head on plain f32 memory. Every result
// depends on its own path alone, and is summed along it in one fixed order. Sizes of heads are
// multiples of kDeltaLanes.

inline constexpr int64_t kDeltaLanes = 16;

/// out = x * scale / sqrt(sum of squares + 1e-6). x, out: [d].
void cpu_unit_vector(const float* x, int64_t d, float scale, float* out);

/// out[c] = silu(sum over t of weight[t][c] * rows[t][c]), t upwards. weight: [taps, channels];
/// rows: `taps` pointers to [channels], the path's last ones.
void cpu_convolve(const float* const* rows, const float* weight, int64_t taps, int64_t channels,
                  float* out);

/// out[i] = x * 1 / (1 + e^-gate); all [n].
void cpu_sigmoid_product(const float* gate, const float* x, int64_t n, float* out);

/// out[i] = S^T x[i]. state: [key_dim, value_dim]; x: `count` pointers to [key_dim]; out: to
/// [value_dim].
void cpu_read_state(const float* state, int64_t key_dim, int64_t value_dim, const float* const* x,
                    int64_t count, float* const* out);

/// One row of a head.
struct CpuDeltaRow {
  int64_t key_dim = 0, value_dim = 0;
  const int32_t* path = nullptr;  ///< [before] slots of the path's rows since the boundary
  int64_t before = 0;
  const float* keys = nullptr;     ///< by slot: [key_dim]
  const float* updates = nullptr;  ///< by slot: [value_dim]
  const float* decays = nullptr;   ///< by slot: log of the decay since the boundary
  const float *q = nullptr, *k = nullptr, *v = nullptr;  ///< [key_dim], [key_dim], [value_dim]
  const float *read_q = nullptr, *read_k = nullptr;      ///< S^T q, S^T k: [value_dim]
  float beta = 0;
  float decay = 0;          ///< as `decays`, of this row
  float* update = nullptr;  ///< [value_dim], written
  float* out = nullptr;     ///< [value_dim], written
};
/// scratch: 3 * (before, rounded up to kDeltaLanes) floats.
void cpu_delta_row(const CpuDeltaRow& row, float* scratch);

/// The state after the `rows` rows of `path`, of which the last has the whole decay. keys, updates,
/// decays: as CpuDeltaRow; state, out: [key_dim, value_dim], may be the same; scratch: rows *
/// (key_dim + 1) floats, rounded up to kDeltaLanes.
void cpu_fold_state(const float* state, int64_t key_dim, int64_t value_dim, const int32_t* path,
                    int64_t rows, const float* keys, const float* updates, const float* decays,
                    float* out, float* scratch);

}  // namespace docspec

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>

#include "core/model/kv_cache.h"

namespace docspec {

/// A layer that ships with a model and predicts further tokens from the model's last rows (MTP,
/// multi-token prediction).
class MtpLayer {
 public:
  virtual ~MtpLayer() = default;
  /// A cache for one job.
  virtual std::unique_ptr<LayeredKvCache> new_cache() const = 0;
  /// Appends and commits a row for each of `next`: the token that follows the row's own one.
  /// `hidden`: [rows, d_model], what the target made of the rows' own tokens before its last norm
  /// (LayeredKvCache::take_hidden); with `own`, what this layer returned for the row before.
  /// positions: [axes * rows], axis-major. Returns [rows, d_model].
  virtual at::Tensor read(LayeredKvCache& cache, std::span<const int32_t> next,
                          const at::Tensor& hidden, bool own,
                          std::span<const int64_t> positions) const = 0;
  /// rows: as `read` returned them; the logits of the tokens after their `next`: [rows, vocab] f32,
  /// on the model's device.
  virtual at::Tensor logits(const at::Tensor& rows) const = 0;
  /// As Trunk::finish.
  virtual void finish() = 0;
};

}  // namespace docspec

#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>

#include "core/model/kv_cache.h"
#include "core/model/memory_plan.h"

namespace docspec {

/// A layer that ships with a model and predicts further tokens from the model's last rows (MTP,
/// multi-token prediction).
class MtpLayer {
 public:
  virtual ~MtpLayer() = default;
  /// Embeddings of tokens, [ids, d_model], as `read` takes them.
  virtual at::Tensor embed(std::span<const int32_t> ids) const = 0;
  /// Whether it reads the rows of an image, as the target does, where its placeholders follow; else
  /// their embeddings.
  virtual bool sees_image() const = 0;
  /// A cache for one job.
  virtual std::unique_ptr<LayeredKvCache> new_cache() const = 0;
  /// Appends and commits a row for each of `next`, [rows, d_model]: the token after the row's own.
  /// `hidden`: [rows, d_model], what the target made of the rows' own tokens before its last norm
  /// (LayeredKvCache::take_hidden); with `own`, what this layer returned for the row before.
  /// positions: [axes * rows], axis-major. Returns [rows, d_model].
  virtual at::Tensor read(LayeredKvCache& cache, const at::Tensor& next, const at::Tensor& hidden,
                          bool own, std::span<const int64_t> positions) const = 0;
  /// rows: as `read` returned them; the logits of the tokens after their `next`: [rows, vocab] f32,
  /// on the model's device.
  virtual at::Tensor logits(const at::Tensor& rows) const = 0;
  /// As Trunk::finish.
  virtual void finish() = 0;
  /// As Trunk::bytes.
  virtual TrunkBytes bytes(c10::Device place) const = 0;
};

}  // namespace docspec

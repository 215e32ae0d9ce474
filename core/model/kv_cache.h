#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "core/model/language_model.h"
#include "core/ops/ops.h"

namespace docspec {

/// Keys and values of a decoder with grouped heads: per layer [kv_heads, capacity, head_dim] on the
/// model's device, grown in whole attention blocks, or pages of one such block where Ops::paged
/// says so. In main memory f32 in every model dtype, since attention reduces in f32 and would
/// convert a bf16 cache in each pass; on a GPU, whose kernels widen what they read, in the model's.
class LayeredKvCache : public KvCache {
 public:
  /// `like` gives the device and the model's dtype. `ops` must outlive the cache.
  LayeredKvCache(const Ops& ops, int64_t layers, int64_t kv_heads, int64_t head_dim,
                 const at::Tensor& like);
  ~LayeredKvCache() override;

  int64_t length() const override { return length_; }
  /// Throws std::invalid_argument when `rows` is not a path through the appended rows.
  void commit(std::span<const int32_t> rows) override;

  /// Forgets the last `rows` committed rows. Throws std::invalid_argument where that is more than
  /// what follows the image. Only where Trunk::caches_can_drop().
  virtual void drop(int64_t rows);

  /// Begins a pass: makes room for `rows` more rows after the committed ones, and drops the rows of
  /// an uncommitted pass.
  void begin_pass(int64_t rows);
  /// One layer, with the place of the pass's rows; slots beyond them are finite. Valid until the
  /// next pass begins.
  CacheRows rows(int64_t layer);
  /// As CacheRows::pages; empty where the cache is not paged.
  std::span<const at::Tensor> pages() const { return pages_; }

  /// Whether the model's last rows, before its last norm, are kept for the slots that are
  /// committed, until they are taken: a layer that predicts further tokens reads them. Set it
  /// before the first pass.
  bool keep_hidden = false;
  /// rows: [rows of the pass, d_model]. Called by the model in each pass if keep_hidden is set.
  void set_hidden(at::Tensor rows) { pass_hidden_ = std::move(rows); }
  /// The rows of the slots committed since the last call: [n, d_model]; undefined if there are
  /// none.
  at::Tensor take_hidden();

  /// Rotary position of the slot that comes next is length() + this: negative where an image took
  /// fewer positions than rows.
  int64_t rope_delta = 0;
  /// Slots [visual_begin, visual_end) hold the image.
  int64_t visual_begin = 0, visual_end = 0;
  /// Slots [0, prompt_end) hold the prompt, which rows with a window see whole.
  int64_t prompt_end = 0;

 protected:
  const Ops& ops_;

 private:
  void reserve(int64_t slots);

  const int64_t layers_;
  const bool paged_;
  at::Tensor empty_;              ///< [kv_heads, 0, head_dim]
  std::vector<at::Tensor> rows_;  ///< the layers' keys, then the layers' values
  std::vector<at::Tensor> pages_;
  int64_t length_ = 0, appended_ = 0;
  at::Tensor pass_hidden_;
  std::vector<at::Tensor> hidden_;  ///< of committed slots, in order
};

}  // namespace docspec

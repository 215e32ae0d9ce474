#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/kv_cache.h"
#include "core/model/layers/row_padding.h"
#include "core/model/trunk/attention_views.h"
#include "core/model/trunk/decoder_layer.h"
#include "core/model/vlm.h"
#include "core/ops/graph_cache.h"
#include "core/ops/ops.h"

namespace docspec {

class Weights;

/// The Qwen2 trunk that several families share: grouped heads with biased q, k, v, SwiGLU, RMSNorm,
/// multimodal rotary positions (Qwen2.5-VL's layout); Qwen3's by its config. Attention, rotary
/// angles and logits are f32 in every dtype.
class Qwen2Decoder : public Trunk {
 public:
  /// Reads `prefix`embed_tokens, `prefix`layers.N, `prefix`norm and, where it is stored, lm_head.
  /// `ops` must outlive it.
  Qwen2Decoder(const Qwen2Config& config, Weights& weights, const std::string& prefix,
               const Ops& ops);

  int64_t vocab_size() const override { return config_.vocab; }
  int64_t layer_count() const override { return config_.layers; }
  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override;

  const Qwen2Config& config() const { return config_; }
  std::unique_ptr<LayeredKvCache> new_cache() const override;
  at::Tensor embed(std::span<const int32_t> ids) const override;
  void prefill(LayeredKvCache& cache, const at::Tensor& embeds,
               std::span<const int64_t> positions) const override;
  void finish() override;
  /// rows: [n, hidden] before the last norm (LayeredKvCache::take_hidden); returns their logits,
  /// [n, vocab] f32.
  at::Tensor predict(const at::Tensor& rows) const;
  bool batch_invariant() const override { return padding_.exact; }
  TrunkBytes bytes(c10::Device place) const override;

 protected:
  /// Without layers, for another kind of them: `run` is then the derived class's.
  struct NoLayers {};
  Qwen2Decoder(const Qwen2Config& config, Weights& weights, const std::string& prefix,
               const Ops& ops, NoLayers);
  /// How many rows of a prompt go through a pass.
  virtual int64_t prefill_rows() const { return ops_.prefill_rows(embedding_); }
  /// x: [rows padded to the view's multiple, hidden or Trunk::prefill's multiple of it]; returns
  /// [rows, hidden] after the last norm. The caches have begun the pass.
  virtual at::Tensor run(at::Tensor x, const Rotary& rotary, std::span<const SequenceRows> jobs,
                         AttentionViews& view) const;

  /// Hands the jobs' rows before the last norm, x, to the caches that keep them.
  static void keep_hidden(const at::Tensor& x, std::span<const SequenceRows> jobs);

  Qwen2Config config_;
  const Ops& ops_;
  at::Tensor embedding_;  // [vocab, hidden]; one row where `table_` has them
  Linear table_;          // of int8, or undefined
  RmsNorm norm_;
  Linear head_;  // [vocab, hidden]
  RowPadding padding_;

 private:
  void check(std::span<const int32_t> ids) const;
  at::Tensor angles(std::span<const int64_t> positions, int64_t rows) const;
  Rotary rotary(std::span<const int64_t> positions, int64_t rows) const;
  at::Tensor norm_append(const DecoderLayer& layer, const at::Tensor& qkv, const Rotary& rotary,
                         std::span<const CacheRows> caches, const AttentionPlan& plan) const;
  at::Tensor attend(const DecoderLayer& layer, int64_t index, const at::Tensor& x,
                    const Rotary& rotary, std::span<const SequenceRows> jobs,
                    AttentionViews& view) const;
  std::vector<RowCheck> checks() const;
  void count_flops(const SequenceRows& job) const;
  bool records() const;
  bool recordable(std::span<const SequenceRows> jobs) const;
  void record_passes() const;

  std::vector<DecoderLayer> layers_;
  std::vector<float> frequencies_;  // [head_dim / 2]
  // [head_dim / 2], of the first and the second half of a head: 0 temporal, 1 height, 2 width
  std::vector<int> frequency_axis_, second_axis_;
  std::unique_ptr<GraphCache> graph_cache_;  // nullptr = passes are just run
};

}  // namespace docspec

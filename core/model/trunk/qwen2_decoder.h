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
#include "core/model/trunk/moe.h"
#include "core/model/vlm.h"
#include "core/ops/graph_cache.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {

class ConfigReader;
class Weights;

struct Qwen2Config {
  int64_t vocab = 0, hidden = 0, intermediate = 0, layers = 0, heads = 0, kv_heads = 0;
  double rms_eps = 1e-6, rope_theta = 1e6;
  /// Frequencies turned by the temporal, height and width position, in this order; they sum to
  /// head_dim / 2. HunYuan's four: index, column, row and number of the image.
  std::vector<int64_t> mrope_section;
  bool tied = false;             ///< the head is the embedding table
  std::string head = "lm_head";  ///< name of the head where it is stored
  // Differences of Qwen3:
  int64_t head_size = 0;     ///< of one head; 0 = hidden / heads
  bool qkv_bias = true;      ///< q, k, v have biases
  bool qk_norm = false;      ///< an RMSNorm over each head of q and k, before they turn
  bool interleaved = false;  ///< frequencies take axes in turn (0, 1, 2, 0, ...), not by section
  // Differences of HunYuan:
  std::string q_norm = "q_norm", k_norm = "k_norm";  ///< names of these norms
  bool norm_turned = false;  ///< the norms of q and k come after the rotation
  bool split_head = false;   ///< sections are shares of the whole head, not of each half of it
  MoeConfig moe;             ///< DeepSeek's
  // Difference of Qwen3.5:
  int64_t turned = 0;  ///< numbers of a head that turn, the first of each half; 0 = all

  int64_t head_dim() const { return head_size > 0 ? head_size : hidden / heads; }
  /// Throws Error(dependency) naming the key that is missing or does not fit the others.
  static Qwen2Config read(const ConfigReader& config);
};

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

  Qwen2Config config_;
  const Ops& ops_;
  at::Tensor embedding_;  // [vocab, hidden]
  RmsNorm norm_;
  Linear head_;  // [vocab, hidden]
  RowPadding padding_;

 private:
  struct Layer {
    RmsNorm attention_norm, mlp_norm;
    Linear q, k, v, o, gate, up, down;
    RmsNorm q_norm, k_norm;  // without weight where there is none
    std::optional<Moe> moe;  // instead of gate, up, down
  };
  void check(std::span<const int32_t> ids) const;
  Rotary rotary(std::span<const int64_t> positions, int64_t rows, const at::Tensor& like) const;
  at::Tensor norm_append(const Layer& layer, const at::Tensor& qkv, const Rotary& rotary,
                         std::span<const CacheRows> caches, const AttentionPlan& plan) const;
  at::Tensor attend(const Layer& layer, int64_t index, const at::Tensor& x, const Rotary& rotary,
                    std::span<const SequenceRows> jobs, AttentionViews& view) const;
  std::vector<RowCheck> checks() const;
  void count_flops(const SequenceRows& job) const;
  bool recordable(std::span<const SequenceRows> jobs) const;

  std::vector<Layer> layers_;
  std::vector<float> frequencies_;  // [head_dim / 2]
  // [head_dim / 2], of the first and the second half of a head: 0 temporal, 1 height, 2 width
  std::vector<int> frequency_axis_, second_axis_;
  std::unique_ptr<GraphCache> graph_cache_;  // nullptr = passes are just run
};

}  // namespace docspec

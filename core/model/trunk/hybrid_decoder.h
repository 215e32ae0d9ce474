#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/model/trunk/qwen2_decoder.h"
#include "core/model/trunk/recurrent_cache.h"

namespace docspec {

struct HybridConfig {
  Qwen2Config attention;        ///< `layers` are those of attention alone
  std::vector<bool> recurrent;  ///< of each layer
  DeltaShape delta;

  /// Throws Error(dependency) naming the key that is missing or does not fit the others.
  static HybridConfig read(const ConfigReader& config);
};

/// A norm whose stored weights are less by 1; in f32, where 1 + weight loses nothing.
RmsNorm zero_centred(RmsNorm norm);

/// Positions at which recurrent layers keep their state. Measured: share/doc/recurrent.md.
inline constexpr int64_t kDeltaChunk = 32;

/// Qwen3.5's trunk: recurrent layers (GatedDeltaNet), and here and there a layer of attention with
/// a gated output. Norms are centred on zero. A row's bits depend on its path alone, as everywhere.
class HybridDecoder : public Qwen2Decoder {
 public:
  /// As Qwen2Decoder.
  HybridDecoder(const HybridConfig& config, Weights& weights, const std::string& prefix,
                const Ops& ops);

  std::unique_ptr<LayeredKvCache> new_cache() const override;
  bool caches_can_drop() const override { return false; }
  void finish() override;
  TrunkBytes bytes(c10::Device place) const override;

 protected:
  /// No more than keep the slots of a pass small (DeltaRows::keys).
  int64_t prefill_rows() const override {
    return std::min<int64_t>(256, Qwen2Decoder::prefill_rows());
  }
  at::Tensor run(at::Tensor x, const Rotary& rotary, std::span<const SequenceRows> jobs,
                 AttentionViews& view) const override;

 private:
  struct Attention {
    Linear q, k, v, gate, o;
    RmsNorm q_norm, k_norm;
  };
  struct DeltaNet {
    Linear qkv, z, beta, decay, out;
    DeltaWeights weights;
    RmsNorm norm;
  };
  struct Layer {
    RmsNorm mixer_norm, mlp_norm;
    std::optional<Attention> attention;  // else the layer is recurrent
    std::optional<DeltaNet> delta;
    Linear gate, up, down;
  };
  Attention read_attention(Weights& weights, const std::string& at) const;
  DeltaNet read_delta(Weights& weights, const std::string& at) const;
  at::Tensor attend(const Attention& layer, int64_t index, const at::Tensor& x,
                    const Rotary& rotary, std::span<const SequenceRows> jobs,
                    AttentionViews& view) const;
  /// One job's rows of a pass in the recurrent layers.
  struct RecurrentRows {
    RecurrentCache* cache;
    DeltaPlan plan;
  };
  at::Tensor recur(const DeltaNet& layer, size_t index, const at::Tensor& x,
                   std::span<const RecurrentRows> jobs) const;
  std::vector<RowCheck> checks() const;

  const DeltaShape shape_;
  const int64_t recurrent_;  ///< layers
  std::vector<Layer> layers_;
};

}  // namespace docspec

#include "core/model/trunk/mtp_layer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/model/checkpoint/weights.h"
#include "core/model/trunk/qwen2_decoder.h"

namespace docspec {
namespace {

/// The trunk of one layer that follows the target's.
Qwen2Config layer_config(const Qwen2Config& target, const std::string& prefix,
                         const Checkpoint& checkpoint) {
  const std::string layer = fmt::format("layers.{}.", target.layers);
  Qwen2Config out = target;
  out.first_layer = target.layers;
  out.layers = 1;
  out.last_norm = layer + "shared_head.norm";
  const std::string head = prefix + layer + "shared_head.head";
  if (checkpoint.has(head + ".weight")) out.head = head;
  return out;
}

class TrunkMtpLayer : public MtpLayer {
 public:
  TrunkMtpLayer(const Qwen2Config& target, Weights& weights, const std::string& prefix,
                const Ops& ops)
      : decoder_(layer_config(target, prefix, weights.checkpoint()), weights, prefix, ops) {
    const std::string at = fmt::format("{}layers.{}.", prefix, target.layers);
    const int64_t d = target.hidden;
    target_norm_ = weights.norm(prefix + "norm", d, target.rms_eps);
    embedding_norm_ = weights.norm(at + "enorm", d, target.rms_eps);
    hidden_norm_ = weights.norm(at + "hnorm", d, target.rms_eps);
    join_ = weights.linear(at + "eh_proj", 2 * d, d);
    weights.pass_over(at + "embed_tokens");  // the target's once more
  }

  std::unique_ptr<LayeredKvCache> new_cache() const override {
    auto cache = decoder_.new_cache();
    cache->keep_hidden = true;
    return cache;
  }

  at::Tensor read(LayeredKvCache& cache, std::span<const int32_t> next, const at::Tensor& hidden,
                  bool own, std::span<const int64_t> positions) const override {
    at::Tensor embeds = decoder_.embed(next);
    if (cache.length() == 0) embeds.narrow(0, 0, 1).zero_();  // as it was trained
    const at::Tensor rows = hidden.to(embeds.scalar_type());
    const at::Tensor before = hidden_norm_(own ? rows : target_norm_(rows));
    decoder_.prefill(cache, join_(at::cat({embedding_norm_(embeds), before}, 1)), positions);
    return cache.take_hidden();
  }

  at::Tensor logits(const at::Tensor& rows) const override { return decoder_.predict(rows); }
  void finish() override { decoder_.finish(); }

 private:
  Qwen2Decoder decoder_;
  RmsNorm target_norm_, embedding_norm_, hidden_norm_;
  Linear join_;  // [d, 2 d]: the embedding's half first
};

}  // namespace

std::unique_ptr<MtpLayer> make_mtp_layer(const Qwen2Config& target, Weights& weights,
                                         const std::string& prefix, const Ops& ops) {
  return std::make_unique<TrunkMtpLayer>(target, weights, prefix, ops);
}

}  // namespace docspec

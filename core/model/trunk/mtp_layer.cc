#include "core/model/trunk/mtp_layer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

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
  explicit TrunkMtpLayer(MtpParts parts) : parts_(std::move(parts)) {}

  at::Tensor embed(std::span<const int32_t> ids) const override {
    return parts_.decoder->embed(ids);
  }
  bool sees_image() const override { return parts_.sees_image; }

  std::unique_ptr<LayeredKvCache> new_cache() const override {
    auto cache = parts_.decoder->new_cache();
    cache->keep_hidden = true;
    return cache;
  }

  at::Tensor read(LayeredKvCache& cache, const at::Tensor& next, const at::Tensor& hidden, bool own,
                  std::span<const int64_t> positions) const override {
    const bool blind = parts_.starts_blind && cache.length() == 0;
    const at::Tensor embeds =
        blind ? at::cat({at::zeros_like(next.narrow(0, 0, 1)), next.narrow(0, 1, next.size(0) - 1)})
              : next;
    const auto type = next.scalar_type();
    at::Tensor before = hidden.to(type);
    if (const RmsNorm& norm = own ? parts_.own_norm : parts_.target_norm; norm.weight.defined())
      before = norm(before).to(type);
    const at::Tensor both = at::cat({parts_.embedding_norm(embeds), parts_.hidden_norm(before)}, 1);
    parts_.decoder->prefill(cache, parts_.join(both.to(type)), positions);
    return cache.take_hidden();
  }

  at::Tensor logits(const at::Tensor& rows) const override { return parts_.decoder->predict(rows); }
  void finish() override { parts_.decoder->finish(); }
  TrunkBytes bytes(c10::Device place) const override { return parts_.decoder->bytes(place); }

 private:
  MtpParts parts_;
};

}  // namespace

std::unique_ptr<MtpLayer> join_mtp_layer(MtpParts parts) {
  return std::make_unique<TrunkMtpLayer>(std::move(parts));
}

std::unique_ptr<MtpLayer> make_mtp_layer(const Qwen2Config& target, Weights& weights,
                                         const std::string& prefix, const Ops& ops) {
  const std::string at = fmt::format("{}layers.{}.", prefix, target.layers);
  const auto& stored = weights.checkpoint().tensors();
  if (std::none_of(stored.begin(), stored.end(),
                   [&](const TensorInfo& tensor) { return tensor.name.starts_with(at); }))
    return nullptr;
  const int64_t d = target.hidden;
  const auto norm = [&](const std::string& name) { return weights.norm(name, d, target.rms_eps); };
  MtpParts parts;
  parts.decoder = std::make_unique<Qwen2Decoder>(layer_config(target, prefix, weights.checkpoint()),
                                                 weights, prefix, ops);
  parts.target_norm = norm(prefix + "norm");
  parts.embedding_norm = norm(at + "enorm");
  parts.hidden_norm = norm(at + "hnorm");
  parts.join = weights.linear(at + "eh_proj", 2 * d, d);
  parts.starts_blind = true;
  weights.pass_over(at + "embed_tokens");  // the target's once more
  return join_mtp_layer(std::move(parts));
}

}  // namespace docspec

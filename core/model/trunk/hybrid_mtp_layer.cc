#include "core/model/trunk/hybrid_mtp_layer.h"

#include <algorithm>

#include "core/model/checkpoint/weights.h"

namespace docspec {

std::unique_ptr<MtpLayer> make_hybrid_mtp_layer(const HybridConfig& target, Weights& weights,
                                                const std::string& prefix, const Ops& ops) {
  const auto& stored = weights.checkpoint().tensors();
  if (std::none_of(stored.begin(), stored.end(),
                   [](const TensorInfo& tensor) { return tensor.name.starts_with("mtp."); }))
    return nullptr;
  const std::string at = "mtp.";
  HybridConfig layer = target;
  layer.recurrent = {false};
  layer.attention.layers = 1;
  layer.attention.embedding = prefix + "embed_tokens";
  const int64_t d = target.attention.hidden;
  const auto norm = [&](const std::string& name) {
    return zero_centred(weights.norm(name, d, target.attention.rms_eps));
  };
  MtpParts parts;
  parts.decoder = std::make_unique<HybridDecoder>(layer, weights, at, ops);
  parts.target_norm = norm(prefix + "norm");
  parts.own_norm = norm(at + "norm");
  parts.embedding_norm = norm(at + "pre_fc_norm_embedding");
  parts.hidden_norm = norm(at + "pre_fc_norm_hidden");
  parts.join = weights.linear(at + "fc", 2 * d, d);
  parts.sees_image = true;
  return join_mtp_layer(std::move(parts));
}

}  // namespace docspec

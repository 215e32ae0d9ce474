#pragma once

#include <memory>
#include <string>

#include "core/model/mtp_layer.h"
#include "core/model/trunk/decoder_layer.h"

namespace docspec {

class Ops;
class Qwen2Decoder;
class Weights;

/// The parts of a layer after a target's last one: a product of the next token's embedding and the
/// target's row, both normed, then one more layer of the trunk and the target's head.
struct MtpParts {
  std::unique_ptr<Qwen2Decoder> decoder;  ///< of the one layer, with its norm and the head
  RmsNorm target_norm;                    ///< of the target's rows
  RmsNorm own_norm;                       ///< of its own, before the next; without weight = none
  RmsNorm embedding_norm, hidden_norm;
  Linear join;                ///< [d, 2 d]: the embedding's half first
  bool sees_image = false;    ///< as MtpLayer::sees_image
  bool starts_blind = false;  ///< the first row of all reads zeros for its next token
};
std::unique_ptr<MtpLayer> join_mtp_layer(MtpParts parts);

/// The layer as GLM-OCR ships it ([glm-ocr]); nullptr if the checkpoint has none. Reads
/// `prefix`layers.N (N = target.layers): enorm, hnorm, eh_proj, shared_head.norm and the layer's
/// own weights; the embedding and the head are the target's unless shared_head.head is stored.
/// `ops` must outlive it.
std::unique_ptr<MtpLayer> make_mtp_layer(const Qwen2Config& target, Weights& weights,
                                         const std::string& prefix, const Ops& ops);

}  // namespace docspec

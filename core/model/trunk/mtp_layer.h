#pragma once

#include <memory>
#include <string>

#include "core/model/mtp_layer.h"
#include "core/model/trunk/decoder_layer.h"

namespace docspec {

class Ops;
class Weights;

/// The layer after a target's last one, as GLM-OCR ships it ([glm-ocr]): a product of the next
/// token's embedding and the target's row, both normed, then one more layer of the trunk and the
/// target's head. Reads `prefix`layers.N (N = target.layers): enorm, hnorm, eh_proj,
/// shared_head.norm and the layer's own weights; the embedding and the head are the target's unless
/// shared_head.head is stored. `ops` must outlive it.
std::unique_ptr<MtpLayer> make_mtp_layer(const Qwen2Config& target, Weights& weights,
                                         const std::string& prefix, const Ops& ops);

}  // namespace docspec

#pragma once

#include "core/model/trunk/hybrid_decoder.h"
#include "core/model/trunk/mtp_layer.h"

namespace docspec {

/// The layer for further tokens as Qwen3.5 ships it ([qwen3.5]): one of attention, which reads
/// the image's rows, and the target's rows and its own after their last norms. Reads mtp.fc,
/// mtp.pre_fc_norm_embedding, mtp.pre_fc_norm_hidden, mtp.layers.0 and mtp.norm; the embedding
/// (`prefix`embed_tokens) and the head are the target's. nullptr where the checkpoint has no tensor
/// mtp.*. `ops` must outlive it.
std::unique_ptr<MtpLayer> make_hybrid_mtp_layer(const HybridConfig& target, Weights& weights,
                                                const std::string& prefix, const Ops& ops);

}  // namespace docspec

#pragma once

#include "core/model/families/registry.h"

namespace docspec {

class ConfigReader;

/// Qwen3-VL, in the Hub's layout and in transformers 5's.
Vlm::Parts make_qwen3_vl(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

/// Qwen3.5 and its fine-tunes, in both layouts, too (qwen3_5.cc).
Vlm::Parts make_qwen3_5(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

/// The vision tower of both, with or without rows for deeper layers. text_hidden, layers: of the
/// language model. `ops` must outlive it. Throws Error(dependency) for sizes that do not fit.
std::unique_ptr<VisionEncoder> make_qwen3_vision(const ConfigReader& config, int64_t text_hidden,
                                                 int64_t layers, const ImageProcessorConfig& image,
                                                 Weights& weights, const Ops& ops);

}  // namespace docspec

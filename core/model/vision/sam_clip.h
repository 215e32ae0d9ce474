#pragma once

#include <memory>
#include <string>

#include "core/model/vlm.h"

namespace docspec {

class ConfigReader;
class ViewProcessor;
class Weights;
struct SamConfig;

/// The CLIP tower of DeepSeek-OCR and Unlimited-OCR: SAM's rows stand in place of its patches.
struct ClipConfig {
  int64_t depth = 0, hidden = 0, intermediate = 0, heads = 0, patch = 0;
  int64_t side = 0;  ///< of the grid of learned positions

  /// The Hub's keys (clip-l-14-224). Throw Error(dependency) naming the key.
  static ClipConfig flat(const ConfigReader& config);
  /// transformers' (encoder_config).
  static ClipConfig nested(const ConfigReader& config);
};

/// Tiles and the whole image through SAM, then CLIP; rows of both side by side make the visual rows
/// by one product, and each row of a view ends with image_newline. `nested`: tensors by
/// transformers' names, else by the Hub's. `images`, which lays out what it reads, and `ops` must
/// outlive it. width: of the language model. Throws Error(dependency) where the sizes do not fit.
std::unique_ptr<VisionEncoder> make_sam_clip(const SamConfig& sam, const ClipConfig& clip,
                                             const ViewProcessor& images, int64_t width,
                                             bool nested, Weights& weights, const Ops& ops);

}  // namespace docspec

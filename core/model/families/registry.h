#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/registry.h"
#include "core/model/vlm.h"

namespace docspec {

class Checkpoint;
class Weights;

/// Builds a family's modules. The weights may have faults: nothing may be computed here.
using MakeFamily = Vlm::Parts (*)(const Checkpoint& checkpoint, Weights& weights, const Ops& ops);

/// One line a family, its name the config.json's "model_type".
std::span<const Entry<MakeFamily>> families();

struct VlmOptions {
  std::string dtype = "auto";  ///< "auto": f32 below 100 M parameters on the CPU, else bf16;
                               ///< "int8", "int4": the language model's products are quantized, the
                               ///< rest is bf16; in int4 also vision and embeddings, to int8
  std::string device = "cpu";  ///< "cpu", "cuda", "cuda:1"
  std::filesystem::path share;  ///< folder that holds families/*.json
  int64_t max_pixels = 0;       ///< images are shrunk to this; 0 = the model's own limit
};

/// Memory that load_vlm and reading need; reads headers only. Throws what load_vlm throws, except
/// for missing tensors.
MemoryNeeds memory_needs(const Checkpoint& checkpoint, const VlmOptions& options, const Ops& ops);

/// Reads a model folder. `ops` must outlive the result. Throws Error(dependency) naming file and
/// key: unknown model_type, missing or wrong tensors, a device that is not there.
Vlm load_vlm(const std::filesystem::path& folder, const VlmOptions& options, const Ops& ops);
/// The same of one that is open already.
Vlm load_vlm(const Checkpoint& checkpoint, const VlmOptions& options, const Ops& ops);

/// The result of `docspec model verify` for a folder.
struct CheckpointReport {
  std::string family;
  int64_t parameters = 0;            ///< numbers in the stored tensors
  std::vector<std::string> faults;   ///< tensors missing or of another shape or dtype
  std::vector<std::string> unknown;  ///< stored tensors the family does not know
};
/// Throws Error(dependency) if the folder cannot be verified at all.
CheckpointReport verify_checkpoint(const std::filesystem::path& folder, const Ops& ops);

}  // namespace docspec

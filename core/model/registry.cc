#include "core/model/registry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "core/json_file.h"
#include "core/model/checkpoint.h"
#include "core/model/config_reader.h"
#include "core/model/dots_ocr.h"
#include "core/model/prompt_set.h"
#include "core/model/qwen2_5_vl.h"
#include "core/model/weights.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr Entry<MakeFamily> kFamilies[] = {
    {"dots_ocr", "dots.ocr and dots.mocr", "dots.ocr", true, make_dots_ocr},
    {"qwen2_5_vl", "Qwen2.5-VL, olmOCR and their fine-tunes", "qwen2.5-vl", true, make_qwen2_5_vl},
};

constexpr int64_t kSmallModel = 100'000'000;

const Entry<MakeFamily>& family_of(const Checkpoint& checkpoint) {
  const std::string type = ConfigReader(checkpoint.config()).string("model_type");
  const auto* family = find(families(), type);
  if (!family)
    throw Error(ExitCode::dependency,
                fmt::format("{}: config.json: model_type '{}' is not known; docspec reads {}",
                            checkpoint.folder().string(), type, names(families())));
  return *family;
}

int64_t count_parameters(const Checkpoint& checkpoint) {
  int64_t total = 0;
  for (const TensorInfo& tensor : checkpoint.tensors())
    total +=
        std::accumulate(tensor.shape.begin(), tensor.shape.end(), int64_t{1}, std::multiplies<>());
  return total;
}

/// Whether most tensors need no conversion.
bool stored_in(const Checkpoint& checkpoint, at::ScalarType dtype) {
  const std::string name = dtype == at::kFloat ? "F32" : "BF16";
  const auto same = std::count_if(checkpoint.tensors().begin(), checkpoint.tensors().end(),
                                  [&](const TensorInfo& tensor) { return tensor.dtype == name; });
  return 2 * size_t(same) > checkpoint.tensors().size();
}

at::Device device_of(const std::string& name) {
  const bool cuda = name.rfind("cuda", 0) == 0;
  if (cuda && !at::hasCUDA())
    throw Error(ExitCode::dependency, "--device " + name + ": this libtorch sees no CUDA device");
  if (!cuda && name != "cpu") throw Error(ExitCode::usage, "--device " + name + ": unknown");
  return at::Device(name);
}

at::ScalarType dtype_of(const std::string& name, const Checkpoint& checkpoint, at::Device device) {
  if (name == "f32") return at::kFloat;
  if (name == "bf16") return at::kBFloat16;
  if (name == "int8") {
    if (device.is_cpu()) return at::kBFloat16;  // of what stays: embeddings, norms, vision
    throw Error(ExitCode::usage, "--dtype int8: is for the CPU; use bf16 on a GPU");
  }
  if (name != "auto") throw Error(ExitCode::usage, "--dtype " + name + ": not supported here");
  return device.is_cpu() && count_parameters(checkpoint) < kSmallModel ? at::kFloat : at::kBFloat16;
}

}  // namespace

std::span<const Entry<MakeFamily>> families() {
  return kFamilies;
}

MemoryNeeds memory_needs(const std::filesystem::path& folder, const VlmOptions& options,
                         const Ops& ops) {
  const Checkpoint checkpoint(folder);
  const at::ScalarType dtype = dtype_of(options.dtype, checkpoint, device_of(options.device));
  Weights weights(checkpoint, dtype, at::kMeta, options.dtype == "int8");
  const Vlm::Parts parts = family_of(checkpoint).make(checkpoint, weights, ops);
  weights.require_all();
  MemoryNeeds needs;
  needs.weights = weights.bytes();
  needs.vision = parts.vision->bytes();
  needs.trunk = parts.trunk->bytes();
  const ImageProcessorConfig& image = parts.image_processor.config();
  needs.patch = image.patch;
  needs.merge = image.merge;
  needs.min_pixels = image.min_pixels;
  needs.max_pixels = image.max_pixels;
  return needs;
}

Vlm load_vlm(const std::filesystem::path& folder, const VlmOptions& options, const Ops& ops) {
  const Checkpoint checkpoint(folder);
  const auto& family = family_of(checkpoint);
  const at::Device device = device_of(options.device);
  const at::ScalarType dtype = dtype_of(options.dtype, checkpoint, device);
  const bool int8 = options.dtype == "int8";
  Weights weights(checkpoint, dtype, device, int8);
  // Weights of another dtype are read once, when they are converted, and then let go.
  if (stored_in(checkpoint, dtype)) checkpoint.read_through();
  Vlm::Parts parts = family.make(checkpoint, weights, ops);
  weights.require_all();
  parts.trunk->finish();
  if (options.max_pixels > 0) {
    ImageProcessorConfig image = parts.image_processor.config();
    image.max_pixels = std::min(image.max_pixels, options.max_pixels);
    image.min_pixels = std::min(image.min_pixels, image.max_pixels);
    parts.image_processor = ImageProcessor(image);
  }
  const auto prompts = options.share / "families" / (std::string(family.name) + ".json");
  VlmInfo info{std::string(family.name), count_parameters(checkpoint),
               int8                  ? "int8"
               : dtype == at::kFloat ? "f32"
                                     : "bf16"};
  return Vlm(std::move(info), std::move(parts),
             std::make_unique<Tokenizer>(Tokenizer::load(folder / "tokenizer.json")),
             PromptSet(read_json(prompts), checkpoint.json("docspec.json"), prompts.string()));
}

CheckpointReport verify_checkpoint(const std::filesystem::path& folder, const Ops& ops) {
  const Checkpoint checkpoint(folder);
  const auto& family = family_of(checkpoint);
  Weights weights(checkpoint, at::kFloat, at::kMeta);
  family.make(checkpoint, weights, ops);
  return {std::string(family.name), count_parameters(checkpoint), weights.faults(),
          checkpoint.unknown()};
}

}  // namespace docspec

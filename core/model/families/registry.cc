#include "core/model/families/registry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/markup/registry.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/deepseek_ocr.h"
#include "core/model/families/deepseek_ocr2.h"
#include "core/model/families/dots_ocr.h"
#include "core/model/families/hunyuan_vl.h"
#include "core/model/families/lighton_ocr.h"
#include "core/model/families/llava_onevision.h"
#include "core/model/families/qwen2_5_vl.h"
#include "core/model/families/qwen3_vl.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr Entry<MakeFamily> kFamilies[] = {
    {"deepseek_ocr2", "DeepSeek-OCR-2 as transformers writes it", "deepseek-ocr-2", true,
     make_deepseek_ocr2},
    {"deepseek_vl_v2", "DeepSeek-OCR and, from its own repository, DeepSeek-OCR-2", "deepseek-ocr",
     true, make_deepseek_ocr},
    {"dots_ocr", "dots.ocr and dots.mocr", "dots.ocr", true, make_dots_ocr},
    {"hunyuan_vl", "HunyuanOCR", "hunyuan-ocr", true, make_hunyuan_vl},
    {"lighton_ocr", "LightOnOCR-1 and -2", "lighton-ocr", true, make_lighton_ocr},
    {"llava_onevision", "LLaVA-OneVision with SigLIP and Qwen2", "llava-onevision", true,
     make_llava_onevision},
    {"qwen2_5_vl", "Qwen2.5-VL, olmOCR and their fine-tunes", "qwen2.5-vl", true, make_qwen2_5_vl},
    {"qwen3_5", "Qwen3.5 and its fine-tunes", "qwen3.5", true, make_qwen3_5},
    {"qwen3_vl", "Qwen3-VL", "qwen3-vl", true, make_qwen3_vl},
};

constexpr int64_t kSmallModel = 100'000'000;

/// The model_type of config.json. LightOnOCR's published files have that of their vision's family.
std::string type_of(const ConfigReader& config) {
  const std::string type = config.string("model_type");
  if (type != "mistral3" || !config.has("architectures")) return type;
  const auto names = config.strings("architectures");
  return !names.empty() && names[0].starts_with("LightOnO") ? "lighton_ocr" : type;
}

const Entry<MakeFamily>& family_of(const Checkpoint& checkpoint) {
  const std::string type = type_of(ConfigReader(checkpoint.config()));
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
  const at::Device device = device_of(options.device);
  const at::ScalarType dtype = dtype_of(options.dtype, checkpoint, device);
  Weights weights(checkpoint, dtype, at::kMeta, options.dtype == "int8");
  const Vlm::Parts parts = family_of(checkpoint).make(checkpoint, weights, ops);
  weights.require_all();
  MemoryNeeds needs;
  needs.weights = weights.bytes();
  needs.vision = parts.vision->bytes();
  needs.trunk = parts.trunk->bytes(device);
  needs.vision_in_parallel = ops.asynchronous();
  const ImageProcessorConfig& image = parts.image_processor->config();
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
  if (options.max_pixels > 0) parts.image_processor->limit(options.max_pixels);
  const nlohmann::json own = checkpoint.json("docspec.json");
  if (std::error_code none;
      !own.is_object() && std::filesystem::exists(folder / "docspec.json", none))
    throw Error(ExitCode::dependency,
                (folder / "docspec.json").string() + ": not a JSON object; fetch the file again");
  const std::string asked =
      own.is_object()
          ? ConfigReader(own, "docspec.json").string("prompts", std::string(family.name))
          : std::string(family.name);
  const auto prompts = options.share / "families" / (asked + ".json");
  VlmInfo info{std::string(family.name), count_parameters(checkpoint),
               int8                  ? "int8"
               : dtype == at::kFloat ? "f32"
                                     : "bf16"};
  const std::string where =
      prompts.string() + (own.is_object() ? " and " + (folder / "docspec.json").string() : "");
  PromptSet asks(read_json(prompts), own, where);
  try {
    make_dialect(asks.dialect());
  } catch (const Error& e) {
    throw Error(ExitCode::dependency, where + ": " + e.what());
  }
  auto tokenizer = std::make_unique<Tokenizer>(Tokenizer::load(folder / "tokenizer.json"));
  for (const std::string& token : asks.markup()) tokenizer->make_text(token);
  return Vlm(std::move(info), std::move(parts), std::move(tokenizer), std::move(asks));
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

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
#include "core/model/families/families.h"
#include "core/model/family_file.h"
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
    {"glm_ocr", "GLM-OCR", "glm-ocr", true, make_glm_ocr},
    {"hunyuan_vl", "HunyuanOCR", "hunyuan-ocr", true, make_hunyuan_vl},
    {"lighton_ocr", "LightOnOCR-1 and -2", "lighton-ocr", true, make_lighton_ocr},
    {"llava_onevision", "LLaVA-OneVision with SigLIP and Qwen2", "llava-onevision", true,
     make_llava_onevision},
    {"paddleocr_vl", "PaddleOCR-VL 0.9B, 1.5 and 1.6", "paddleocr-vl", true, make_paddleocr_vl},
    {"qwen2_5_vl", "Qwen2.5-VL, olmOCR and their fine-tunes", "qwen2.5-vl", true, make_qwen2_5_vl},
    {"qwen2_vl", "Qwen2-VL, MinerU2.5 and their fine-tunes", "qwen2-vl", true, make_qwen2_vl},
    {"qwen3_5", "Qwen3.5 and its fine-tunes", "qwen3.5", true, make_qwen3_5},
    {"qwen3_vl", "Qwen3-VL", "qwen3-vl", true, make_qwen3_vl},
    {"unlimited_ocr", "Unlimited-OCR", "unlimited-ocr", true, make_unlimited_ocr},
};

constexpr int kPageWidth = 1654, kPageHeight = 2339;  // A4 at 200 dpi
constexpr int64_t kSmallModel = 100'000'000;

const Entry<MakeFamily>& family_of(const Checkpoint& checkpoint) {
  ConfigReader(checkpoint.config()).string("model_type");  // throws where there is none
  const std::string type = family_of_config(checkpoint.config());
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

Quantization quantization_of(const std::string& dtype) {
  return dtype == "int8"   ? Quantization::int8
         : dtype == "int4" ? Quantization::int4
                           : Quantization::none;
}

at::ScalarType dtype_of(const std::string& name, const Checkpoint& checkpoint, at::Device device) {
  if (name == "f32") return at::kFloat;
  if (name == "bf16") return at::kBFloat16;
  if (quantization_of(name) != Quantization::none) {
    if (device.is_cpu()) return at::kBFloat16;  // of norms and vision
    throw Error(ExitCode::usage, "--dtype " + name + ": is for the CPU; use bf16 on a GPU");
  }
  if (name != "auto") throw Error(ExitCode::usage, "--dtype " + name + ": not supported here");
  return device.is_cpu() && count_parameters(checkpoint) < kSmallModel ? at::kFloat : at::kBFloat16;
}

/// How the model is asked. Throws Error(dependency) naming file and key.
PromptSet prompts_of(const Checkpoint& checkpoint, const std::filesystem::path& share) {
  const std::filesystem::path own_path = checkpoint.folder() / "docspec.json";
  const nlohmann::json own = checkpoint.json("docspec.json");
  if (std::error_code none; !own.is_object() && std::filesystem::exists(own_path, none))
    throw Error(ExitCode::dependency,
                own_path.string() + ": not a JSON object; fetch the file again");
  const FamilyFile file =
      find_family_file(checkpoint.folder(), checkpoint.config(), own, share / "families");
  const std::string where =
      file.path.string() + (own.is_object() ? " and " + own_path.string() : "");
  PromptSet asks(read_json(file.path), own, where);
  try {
    make_dialect(asks.dialect());
  } catch (const Error& e) {
    throw Error(ExitCode::dependency, where + ": " + e.what());
  }
  return asks;
}

}  // namespace

std::span<const Entry<MakeFamily>> families() {
  return kFamilies;
}

MemoryNeeds memory_needs(const Checkpoint& checkpoint, const VlmOptions& options, const Ops& ops) {
  const at::Device device = device_of(options.device);
  const at::ScalarType dtype = dtype_of(options.dtype, checkpoint, device);
  Weights weights(checkpoint, dtype, at::kMeta, quantization_of(options.dtype));
  const Vlm::Parts parts = family_of(checkpoint).make(checkpoint, weights, ops);
  weights.require_all();
  MemoryNeeds needs;
  needs.weights = weights.bytes();
  needs.vision = parts.vision->bytes();
  needs.trunk = parts.trunk->bytes(device);
  if (parts.mtp_layer) needs.trunk.per_token += parts.mtp_layer->bytes(device).per_token;
  needs.vision_in_parallel = ops.asynchronous();
  const PromptSet asks = prompts_of(checkpoint, options.share);
  parts.image_processor->set_limits(asks.min_pixels(), asks.max_pixels());
  const ImageProcessorConfig& image = parts.image_processor->config();
  needs.patch = image.patch;
  needs.merge = image.merge;
  needs.min_pixels = image.min_pixels;
  needs.max_pixels = image.max_pixels;
  if (parts.pages_processor)
    needs.page_tokens = parts.pages_processor->visual_tokens(kPageWidth, kPageHeight);
  return needs;
}

Vlm load_vlm(const std::filesystem::path& folder, const VlmOptions& options, const Ops& ops) {
  return load_vlm(Checkpoint(folder), options, ops);
}

Vlm load_vlm(const Checkpoint& checkpoint, const VlmOptions& options, const Ops& ops) {
  const auto& family = family_of(checkpoint);
  const at::Device device = device_of(options.device);
  const at::ScalarType dtype = dtype_of(options.dtype, checkpoint, device);
  const Quantization quantization = quantization_of(options.dtype);
  Weights weights(checkpoint, dtype, device, quantization);
  // Weights of another dtype are read once, when they are converted, and then let go.
  if (stored_in(checkpoint, dtype)) checkpoint.read_through();
  Vlm::Parts parts = family.make(checkpoint, weights, ops);
  weights.require_all();
  parts.trunk->finish();
  if (parts.mtp_layer) parts.mtp_layer->finish();
  VlmInfo info{std::string(family.name), count_parameters(checkpoint),
               quantization != Quantization::none ? options.dtype
               : dtype == at::kFloat              ? "f32"
                                                  : "bf16"};
  PromptSet asks = prompts_of(checkpoint, options.share);
  parts.image_processor->set_limits(asks.min_pixels(), asks.max_pixels());
  if (options.max_pixels > 0) parts.image_processor->limit(options.max_pixels);
  auto tokenizer =
      std::make_unique<Tokenizer>(Tokenizer::load(checkpoint.folder() / "tokenizer.json"));
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

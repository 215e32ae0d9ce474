#include "drafts/detector/rt_detr.h"

#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/no_teams.h"
#include "core/model/checkpoint/checkpoint.h"
#include "drafts/detector/box_decoder.h"
#include "drafts/detector/hybrid_encoder.h"
#include "drafts/detector/net_image.h"
#include "drafts/detector/region_names.h"
#include "drafts/detector/resnet_vd.h"

namespace docspec {
namespace {

/// Names of the classes, in order.
std::vector<std::string> class_names(const Checkpoint& checkpoint) {
  const nlohmann::json names = checkpoint.config().value("id2label", nlohmann::json::object());
  std::vector<std::string> out;
  while (names.contains(std::to_string(out.size())))
    out.push_back(names.at(std::to_string(out.size())).get<std::string>());
  if (out.empty() || out.size() != names.size())
    throw_unsupported_config("id2label does not name the classes 0, 1, 2, ...");
  return out;
}

/// How a page becomes the net's image.
struct Preprocessing {
  int64_t height = 640, width = 640;
  double rescale = 1.0 / 255;
  std::vector<double> mean = {0, 0, 0}, std = {1, 1, 1};

  explicit Preprocessing(const Checkpoint& checkpoint) {
    constexpr const char* kFile = "preprocessor_config.json";
    const nlohmann::json json = checkpoint.json(kFile);
    if (json.is_null())
      throw Error(ExitCode::dependency, (checkpoint.folder() / kFile).string() +
                                            ": is missing; download it beside model.safetensors");
    const ConfigReader config(json, kFile);
    const ConfigReader size = config.section("size");
    height = size.count("height"), width = size.count("width");
    constexpr int64_t kBilinear = 2, kMost = 4096;
    if (config.integer("resample", kBilinear) != kBilinear || !config.boolean("do_resize", true) ||
        height > kMost || width > kMost)
      throw_unsupported_config(std::string(kFile) +
                               ": docspec resizes bilinearly (resample 2) to at most 4096 pixels");
    if (config.boolean("do_rescale", true)) rescale = config.number("rescale_factor", rescale);
    if (!config.boolean("do_rescale", true)) rescale = 1;
    if (config.boolean("do_normalize", true)) {
      mean = json.value("image_mean", std::vector<double>{0.485, 0.456, 0.406});
      std = json.value("image_std", std::vector<double>{0.229, 0.224, 0.225});
      if (mean.size() != 3 || std.size() != 3)
        throw_unsupported_config(std::string(kFile) + ": image_mean or image_std are not three");
    }
  }

  at::Tensor operator()(const PageImage& image) const {
    return centred(net_image(image, height, width, Resize::smooth) * rescale, mean, std);
  }
};

}  // namespace

struct RtDetr::Parts {
  std::vector<std::optional<RegionKind>> kinds;  ///< of the classes
  Preprocessing preprocessing;
  ResNetVd backbone;
  HybridEncoder encoder;
  BoxDecoder decoder;
};

RtDetr::RtDetr(const Checkpoint& checkpoint) {
  const ConfigReader config(checkpoint.config());
  const std::vector<std::string> names = class_names(checkpoint);
  std::vector<std::optional<RegionKind>> kinds =
      region_kinds(names, (checkpoint.folder() / "config.json").string());
  const Preprocessing preprocessing(checkpoint);
  Weights weights(checkpoint, at::kFloat, at::kCPU);
  ResNetVd backbone(weights, config.section("backbone_config"));
  HybridEncoder encoder(weights, config, backbone.channels());
  BoxDecoder decoder(weights, config, std::ssize(names));
  if (backbone.channels().size() != config.integers("decoder_in_channels").size())
    throw_unsupported_config(
        "backbone_config: out_features are not as many as decoder_in_channels");
  if (const auto& faults = weights.faults(); !faults.empty())
    throw Error(ExitCode::dependency,
                checkpoint.folder().string() + ": " + faults.front() + ", and " +
                    std::to_string(faults.size() - 1) +
                    " more faults; config.json and model.safetensors must be of the same "
                    "RT-DETRv2: download both again");
  parts_ = std::make_unique<Parts>(std::move(kinds), preprocessing, std::move(backbone),
                                   std::move(encoder), std::move(decoder));
}

RtDetr::~RtDetr() = default;

std::pair<at::Tensor, at::Tensor> RtDetr::run(const at::Tensor& pixels) const {
  const at::Tensor image = pixels.unsqueeze(0).contiguous(at::MemoryFormat::ChannelsLast);
  const BoxDecoder::Output out = parts_->decoder(parts_->encoder(parts_->backbone(image)));
  return {out.logits, out.boxes};
}

std::vector<FoundRegion> RtDetr::find(const PageImage& image) const {
  constexpr float kLeastScore = 0.3f;  // Docling's
  const NoTeams no_teams;
  const auto [logits, boxes] = run(parts_->preprocessing(image));
  const int64_t queries = logits.size(0), classes = logits.size(1);
  // A box may be of several classes; the best are as many as there are queries.
  const auto [best, pairs] = logits.flatten().sigmoid().topk(queries);
  std::vector<FoundRegion> found;
  for (int64_t i = 0; i < queries; ++i) {
    const float score = best.data_ptr<float>()[i];
    const int64_t pair = pairs.data_ptr<int64_t>()[i];
    const auto kind = parts_->kinds[size_t(pair % classes)];
    if (score <= kLeastScore || !kind) continue;
    const at::Tensor box = boxes[pair / classes].contiguous();
    const float* const share = box.data_ptr<float>();
    const auto pixel = [](float at, int size) { return int(std::lround(at * float(size))); };
    const auto x = [&](float at) { return pixel(at, image.width_px()); };
    const auto y = [&](float at) { return pixel(at, image.height_px()); };
    const Box own{x(share[0] - share[2] / 2), y(share[1] - share[3] / 2),
                  x(share[0] + share[2] / 2), y(share[1] + share[3] / 2)};
    found.push_back({*kind, intersect(own, {0, 0, image.width_px(), image.height_px()}), score});
  }
  return found;
}

}  // namespace docspec

#include "core/model/image/image_processor.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"

namespace docspec {
namespace {

constexpr const char* kFile = "preprocessor_config.json";

std::array<double, 3> three(const nlohmann::json& json, const char* key,
                            std::array<double, 3> fallback, const std::string& file) {
  if (!json.contains(key)) return fallback;
  const auto& list = json[key];
  if (!list.is_array() || list.size() != 3 || !list[0].is_number() || !list[1].is_number() ||
      !list[2].is_number())
    throw Error(ExitCode::dependency,
                fmt::format("{}: key '{}' is not a list of 3 numbers", file, key));
  return {list[0], list[1], list[2]};
}

/// One colour's mean or deviation in units of pixel values, rounded as the reference's f32 product.
at::Tensor per_channel(const std::array<double, 3>& values, double rescale) {
  return at::tensor(at::ArrayRef<double>(values), at::kFloat).mul(1.0 / rescale).view({3, 1, 1});
}

}  // namespace

ImageProcessorConfig ImageProcessorConfig::read(const Checkpoint& checkpoint) {
  return read(checkpoint, ImageProcessorConfig());
}

ImageProcessorConfig ImageProcessorConfig::read(const Checkpoint& checkpoint,
                                                ImageProcessorConfig out) {
  nlohmann::json json = checkpoint.json(kFile);
  std::string name = kFile;
  if (json.is_null()) {  // transformers 5 writes all processors into one file
    const nlohmann::json all = checkpoint.json("processor_config.json");
    if (all.is_object() && all.contains("image_processor")) json = all["image_processor"];
    name = "processor_config.json: image_processor";
  }
  if (json.is_null())
    throw Error(
        ExitCode::dependency,
        fmt::format("{}: neither {} nor processor_config.json with 'image_processor' is there",
                    checkpoint.folder().string(), kFile));
  const ConfigReader file(json, name);
  for (const char* key : {"do_resize", "do_rescale", "do_normalize"})
    if (!file.boolean(key, true))
      throw Error(ExitCode::dependency, fmt::format("{}: '{}' false is not supported", name, key));
  const bool sides = file.has("patch_size") && json["patch_size"].is_object();
  out.patch =
      sides ? file.section("patch_size").count("height") : file.count("patch_size", out.patch);
  out.merge = file.count("merge_size", out.merge);
  out.temporal = file.count("temporal_patch_size", out.temporal);
  if (file.has("size") && json["size"].is_object()) {
    const ConfigReader size(json["size"], name + ": size");
    out.min_pixels = size.count("shortest_edge", size.count("min_pixels", out.min_pixels));
    out.max_pixels = size.count("longest_edge", size.count("max_pixels", out.max_pixels));
  }
  out.min_pixels = file.count("min_pixels", out.min_pixels);
  out.max_pixels = file.count("max_pixels", out.max_pixels);
  out.rescale = file.number("rescale_factor", out.rescale);
  out.mean = three(json, "image_mean", out.mean, name);
  out.std = three(json, "image_std", out.std, name);
  if (out.max_pixels < out.min_pixels)
    throw Error(ExitCode::dependency, fmt::format("{}: max_pixels {} is below min_pixels {}", name,
                                                  out.max_pixels, out.min_pixels));
  return out;
}

void ImageProcessorConfig::require(int64_t patch, int64_t merge, int64_t temporal) const {
  if (this->patch != patch || this->merge != merge || this->temporal != temporal)
    throw Error(ExitCode::dependency,
                "preprocessor_config.json: patch, merge or temporal size differs from config.json");
}

PatchGrid ImageProcessor::grid(int width_px, int height_px) const {
  const double w = width_px, h = height_px;
  if (std::min(w, h) < 2 || std::max(w, h) / std::min(w, h) > 200)
    throw Error(
        ExitCode::input_file,
        fmt::format("image of {} x {} pixels: too narrow for the model (both sides must be "
                    "2 or more, their ratio at most 200); raise --dpi or leave the page out",
                    width_px, height_px));
  const double factor = double(config_.patch * config_.merge);
  const double least = double(config_.min_pixels), most = double(config_.max_pixels);
  double rows = std::nearbyint(h / factor) * factor;  // half to even
  double columns = std::nearbyint(w / factor) * factor;
  if (rows * columns > most) {
    const double shrink = std::sqrt(h * w / most);
    rows = std::max(factor, std::floor(h / shrink / factor) * factor);
    columns = std::max(factor, std::floor(w / shrink / factor) * factor);
  } else if (rows * columns < least) {
    const double grow = std::sqrt(least / (h * w));
    rows = std::ceil(h * grow / factor) * factor;
    columns = std::ceil(w * grow / factor) * factor;
  }
  return {1, int64_t(rows) / config_.patch, int64_t(columns) / config_.patch};
}

int64_t ImageProcessor::visual_tokens(int width_px, int height_px) const {
  return grid(width_px, height_px).patches() / (config_.merge * config_.merge);
}

void ImageProcessor::set_limits(int64_t min_pixels, int64_t max_pixels) {
  if (max_pixels > 0) config_.max_pixels = max_pixels;
  if (min_pixels > 0) config_.min_pixels = min_pixels;
  config_.min_pixels = std::min(config_.min_pixels, config_.max_pixels);
}

void ImageProcessor::limit(int64_t max_pixels) {
  config_.max_pixels = std::min(config_.max_pixels, max_pixels);
  config_.min_pixels = std::min(config_.min_pixels, config_.max_pixels);
}

at::Tensor ImageProcessor::resized(const PageImage& image, int64_t height, int64_t width) {
  at::Tensor pixels = at::empty({image.height_px(), image.width_px(), 3}, at::kByte);
  std::memcpy(pixels.mutable_data_ptr<uint8_t>(), image.row(0), size_t(pixels.numel()));
  pixels = pixels.permute({2, 0, 1}).contiguous();  // [3, height, width]
  if (pixels.size(1) == height && pixels.size(2) == width) return pixels;
  return at::_upsample_bicubic2d_aa(pixels.unsqueeze(0), {height, width}, false).squeeze(0);
}

at::Tensor ImageProcessor::normalized(const at::Tensor& pixels) const {
  return pixels.to(at::kFloat)
      .sub_(per_channel(config_.mean, config_.rescale))
      .div_(per_channel(config_.std, config_.rescale));
}

Patches ImageProcessor::raster_patches(const PageImage& image, const PatchGrid& grid) const {
  const int64_t p = config_.patch;
  const at::Tensor scaled = normalized(resized(image, grid.h * p, grid.w * p));
  return {scaled.view({3, grid.h, p, grid.w, p}).permute({1, 3, 0, 2, 4}).reshape({-1, 3 * p * p}),
          grid, image.width_px(), image.height_px()};
}

Patches ImageProcessor::operator()(const PageImage& image) const {
  const PatchGrid grid = this->grid(image.width_px(), image.height_px());
  const int64_t p = config_.patch, m = config_.merge;
  const at::Tensor scaled = normalized(resized(image, grid.h * p, grid.w * p));
  // [3, block row, row in block, y, block column, column in block, x]
  const at::Tensor blocks = scaled.view({3, grid.h / m, m, p, grid.w / m, m, p})
                                .permute({1, 4, 2, 5, 0, 3, 6})
                                .unsqueeze(5)
                                .expand({-1, -1, -1, -1, -1, config_.temporal, -1, -1});
  return {blocks.reshape({grid.patches(), 3 * config_.temporal * p * p}), grid, image.width_px(),
          image.height_px()};
}

}  // namespace docspec

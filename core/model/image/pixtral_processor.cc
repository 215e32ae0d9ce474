#include "core/model/image/pixtral_processor.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace docspec {
namespace {

constexpr int64_t kLongestPx = 1024;  // transformers' default where the file says none

/// In these files `longest_edge` is a side, where Qwen's have an area.
ImageProcessorConfig read_sides(const Checkpoint& checkpoint) {
  ImageProcessorConfig config;
  config.patch = 16;
  config.min_pixels = 1;
  config.max_pixels = kLongestPx;
  return ImageProcessorConfig::read(checkpoint, config);
}

}  // namespace

PixtralProcessor::PixtralProcessor(const Checkpoint& checkpoint, int64_t patch, int64_t merge)
    : ImageProcessor(read_sides(checkpoint)),
      longest_px_(config_.max_pixels),
      step_px_(config_.patch) {
  if (step_px_ % patch != 0)
    throw Error(ExitCode::dependency,
                fmt::format("preprocessor_config.json: patch_size {} is no multiple of the vision "
                            "tower's {}",
                            step_px_, patch));
  config_.patch = patch;
  config_.merge = merge;
  config_.temporal = 1;
  config_.min_pixels = step_px_ * step_px_;
  config_.max_pixels = longest_px_ * longest_px_;
}

PatchGrid PixtralProcessor::grid(int width_px, int height_px) const {
  ImageProcessor::grid(width_px, height_px);  // throws for slivers
  const double w = width_px, h = height_px;
  // The second limit is that of limit(): an area.
  const double ratio =
      std::max(std::max(w, h) / double(longest_px_), std::sqrt(w * h / double(config_.max_pixels)));
  const auto patches = [&](double side) {
    const auto px = int64_t(ratio > 1 ? std::floor(side / ratio) : side);
    return (px + step_px_ - 1) / step_px_ * (step_px_ / config_.patch);
  };
  const PatchGrid out{1, patches(h), patches(w)};
  if (std::min(out.h, out.w) < config_.merge)
    throw Error(
        ExitCode::input_file,
        fmt::format("image of {} x {} pixels: too narrow for the model", width_px, height_px));
  return out;
}

int64_t PixtralProcessor::visual_tokens(int width_px, int height_px) const {
  const PatchGrid patches = grid(width_px, height_px);
  return (patches.h / config_.merge) * (patches.w / config_.merge);
}

Patches PixtralProcessor::operator()(const PageImage& image) const {
  return raster_patches(image, grid(image.width_px(), image.height_px()));
}

}  // namespace docspec

#include "core/model/image/anyres_processor.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"

namespace docspec {
namespace {

/// As the reference rounds a scaled side: decimal noise of the product must not cost a pixel.
int64_t whole(double side) {
  return int64_t(std::nearbyint(side * 1e7) / 1e7);
}

}  // namespace

AnyresProcessor::AnyresProcessor(const Checkpoint& checkpoint, Config config)
    : ImageProcessor(ImageProcessorConfig::read(checkpoint)), anyres_(std::move(config)) {
  const nlohmann::json& json = checkpoint.config();
  const auto found = json.find("image_grid_pinpoints");
  if (found == json.end() || !found->is_array() || found->empty())
    throw Error(ExitCode::dependency,
                "config.json: key 'image_grid_pinpoints' is no list of pairs");
  for (const auto& pair : *found) {
    const bool fits = pair.is_array() && pair.size() == 2 && pair[0].is_number_integer() &&
                      pair[1].is_number_integer();
    const int64_t height = fits ? pair[0].get<int64_t>() : 0;
    const int64_t width = fits ? pair[1].get<int64_t>() : 0;
    if (height < 1 || width < 1 || height % anyres_.side != 0 || width % anyres_.side != 0)
      throw Error(
          ExitCode::dependency,
          fmt::format("config.json: image_grid_pinpoints: {} is no pair of multiples of the "
                      "tile's side {}",
                      pair.dump(), anyres_.side));
    anyres_.resolutions.emplace_back(height, width);
  }
  config_.patch = anyres_.patch;
  config_.merge = config_.temporal = 1;
  config_.min_pixels = anyres_.side * anyres_.side;
  config_.max_pixels = config_.min_pixels;
  for (const auto& [height, width] : anyres_.resolutions)
    config_.max_pixels = std::max(config_.max_pixels, config_.min_pixels + height * width);
}

void AnyresProcessor::limit(int64_t max_pixels) {
  const int64_t least = anyres_.side * anyres_.side;
  auto& list = anyres_.resolutions;
  std::erase_if(list, [&](const auto& r) { return least + r.first * r.second > max_pixels; });
  if (list.empty()) list.emplace_back(anyres_.side, anyres_.side);
  config_.max_pixels = std::min(config_.max_pixels, std::max(max_pixels, 2 * least));
}

std::pair<int64_t, int64_t> AnyresProcessor::best_resolution(int64_t width_px,
                                                             int64_t height_px) const {
  std::pair<int64_t, int64_t> best;
  int64_t most = -1, least_waste = 0;
  for (const auto& [height, width] : anyres_.resolutions) {
    const double scale =
        std::min(double(width) / double(width_px), double(height) / double(height_px));
    const int64_t shown =
        std::min(int64_t(double(width_px) * scale) * int64_t(double(height_px) * scale),
                 width_px * height_px);
    const int64_t waste = height * width - shown;
    if (shown > most || (shown == most && waste < least_waste)) {
      best = {height, width};
      most = shown;
      least_waste = waste;
    }
  }
  return best;
}

AnyresLayout AnyresProcessor::layout(int64_t width_px, int64_t height_px) const {
  const auto [height, width] = best_resolution(width_px, height_px);
  const int64_t n = anyres_.side / anyres_.patch;
  AnyresLayout out;
  out.tile_rows = height / anyres_.side;
  out.tile_columns = width / anyres_.side;
  out.rows = out.tile_rows * n;
  out.columns = out.tile_columns * n;
  const double w = double(width_px), h = double(height_px);
  if (w / h > double(out.columns) / double(out.rows))
    out.top = (out.rows - whole(h * (double(out.columns) / w))) / 2;
  else
    out.left = (out.columns - whole(w * (double(out.rows) / h))) / 2;
  out.rows -= 2 * out.top;
  out.columns -= 2 * out.left;
  out.kept_rows = out.rows;
  out.kept_columns = out.columns;
  const double ratio =
      std::sqrt(double(out.rows * out.columns) / double(anyres_.most_tiles * n * n));
  if (ratio > 1.1) {
    out.kept_rows = int64_t(std::floor(double(out.rows) / ratio));
    out.kept_columns = int64_t(std::floor(double(out.columns) / ratio));
  }
  return out;
}

PatchGrid AnyresProcessor::grid(int width_px, int height_px) const {
  ImageProcessor::grid(width_px, height_px);  // throws for slivers
  const AnyresLayout at = layout(width_px, height_px);
  if (at.kept_rows < 1 || at.kept_columns < 1)
    throw Error(
        ExitCode::input_file,
        fmt::format("image of {} x {} pixels: too narrow for the model", width_px, height_px));
  const int64_t n = anyres_.side / anyres_.patch;
  return {1 + at.tile_rows * at.tile_columns, n, n};
}

int64_t AnyresProcessor::visual_tokens(int width_px, int height_px) const {
  const PatchGrid tiles = grid(width_px, height_px);
  const AnyresLayout at = layout(width_px, height_px);
  return tiles.h * tiles.w + at.kept_rows * (at.kept_columns + 1);
}

Patches AnyresProcessor::operator()(const PageImage& image) const {
  const int64_t width = image.width_px(), height = image.height_px(), side = anyres_.side;
  const PatchGrid grid = this->grid(int(width), int(height));
  const auto [best_h, best_w] = best_resolution(width, height);
  const double by_w = double(best_w) / double(width), by_h = double(best_h) / double(height);
  const int64_t fit_h =
      by_w < by_h ? std::min(int64_t(std::ceil(double(height) * by_w)), best_h) : best_h;
  const int64_t fit_w =
      by_w < by_h ? best_w : std::min(int64_t(std::ceil(double(width) * by_h)), best_w);
  at::Tensor raster = at::zeros({3, best_h, best_w}, at::kByte);
  raster.narrow(1, (best_h - fit_h) / 2, fit_h)
      .narrow(2, (best_w - fit_w) / 2, fit_w)
      .copy_(resized(image, fit_h, fit_w));
  const int64_t rows = best_h / side, columns = best_w / side;
  const at::Tensor tiles = raster.view({3, rows, side, columns, side})
                               .permute({1, 3, 0, 2, 4})
                               .reshape({rows * columns, 3, side, side});
  const at::Tensor all = normalized(at::cat({resized(image, side, side).unsqueeze(0), tiles}));
  const int64_t n = grid.h, p = anyres_.patch;
  const at::Tensor seen = all.narrow(2, 0, n * p).narrow(3, 0, n * p);
  const at::Tensor patches =
      seen.reshape({grid.t, 3, n, p, n, p}).permute({0, 2, 4, 1, 3, 5}).reshape({-1, 3 * p * p});
  return {patches, grid, int(width), int(height)};
}

}  // namespace docspec

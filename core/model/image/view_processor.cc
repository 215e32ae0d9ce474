#include "core/model/image/view_processor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"

namespace docspec {
namespace {

constexpr int64_t kGray = 127;  // around the whole image
constexpr int64_t kShrink = 4;  // sides of a view in visual rows: patches by this
constexpr const char* kOwn = "preprocessor_config.json";
constexpr const char* kAll = "processor_config.json";

/// The image settings of the published files; those of the Hub have no image processor of their
/// own.
ImageProcessorConfig read_scales(const Checkpoint& checkpoint) {
  ImageProcessorConfig out;
  out.mean = out.std = {0.5, 0.5, 0.5};
  const nlohmann::json all = checkpoint.json(kAll);
  const bool stored =
      !checkpoint.json(kOwn).is_null() || (all.is_object() && all.contains("image_processor"));
  return stored ? ImageProcessorConfig::read(checkpoint, out) : out;
}

/// [3, height, width] -> [height / p * width / p, 3 * p * p] in raster order.
at::Tensor cut(const at::Tensor& pixels, int64_t p) {
  const int64_t rows = pixels.size(1) / p, columns = pixels.size(2) / p;
  return pixels.view({3, rows, p, columns, p})
      .permute({1, 3, 0, 2, 4})
      .reshape({rows * columns, 3 * p * p});
}

}  // namespace

ViewProcessor::ViewProcessor(const Checkpoint& checkpoint, Config config)
    : ImageProcessor(read_scales(checkpoint)), views_(config) {
  nlohmann::json stored = checkpoint.json(kOwn);
  if (const auto all = checkpoint.json(kAll); all.is_object() && all.contains("image_processor"))
    stored = all["image_processor"];
  if (stored.is_object()) {
    const ConfigReader file(stored, kAll);
    views_.tile = file.count("tile_size", views_.tile);
    views_.least_tiles = file.count("min_patches", views_.least_tiles);
    views_.most_tiles = file.count("max_patches", views_.most_tiles);
    if (file.has("size")) views_.side = file.section("size").count("height", views_.side);
    if (!file.boolean("crop_to_patches", true))
      throw_unsupported_config("crop_to_patches false is not supported");
  }
  if (views_.side % views_.patch != 0 || views_.tile % views_.patch != 0)
    throw_unsupported_config("the sides of views are no multiples of the patch");
  config_.patch = views_.patch;
  config_.merge = kShrink;
  config_.temporal = 1;
  config_.min_pixels = views_.side * views_.side;
  config_.max_pixels = config_.min_pixels + views_.most_tiles * views_.tile * views_.tile;
}

void ViewProcessor::limit(int64_t max_pixels) {
  const int64_t tile = views_.tile * views_.tile;
  const int64_t room = std::max<int64_t>(0, max_pixels - config_.min_pixels) / tile;
  views_.most_tiles = std::min(views_.most_tiles, room);
  config_.max_pixels = config_.min_pixels + views_.most_tiles * tile;
}

ViewProcessor::Tiles ViewProcessor::tiles(int64_t width_px, int64_t height_px) const {
  Tiles best;
  if (std::max(width_px, height_px) <= views_.tile) return best;
  const double aspect = double(width_px) / double(height_px);
  double least = std::numeric_limits<double>::infinity();
  for (int64_t count = views_.least_tiles; count <= views_.most_tiles; ++count)
    for (int64_t columns = 1; columns <= count; ++columns) {
      if (count % columns != 0) continue;
      const int64_t rows = count / columns;
      const double off = std::abs(aspect - double(columns) / double(rows));
      // Of equal shapes the larger one, unless it would show the image at more than twice its area.
      const bool fills =
          double(width_px * height_px) > 0.5 * double(views_.tile * views_.tile * count);
      if (off < least || (off == least && fills)) best = {rows, columns};
      least = std::min(least, off);
    }
  return best;
}

int64_t ViewProcessor::tokens_of(int64_t side_px) const {
  const int64_t patches = side_px / views_.patch;
  return (patches + kShrink - 1) / kShrink;
}

PatchGrid ViewProcessor::grid(int width_px, int height_px) const {
  ImageProcessor::grid(width_px, height_px);  // throws for slivers
  const Tiles at = tiles(width_px, height_px);
  const int64_t pixels =
      views_.side * views_.side + at.rows * at.columns * views_.tile * views_.tile;
  return {1, 1, pixels / (views_.patch * views_.patch)};
}

int64_t ViewProcessor::visual_tokens(int width_px, int height_px) const {
  grid(width_px, height_px);
  const Tiles at = tiles(width_px, height_px);
  const int64_t whole = tokens_of(views_.side), tile = tokens_of(views_.tile);
  const int64_t end = views_.newlines ? 1 : 0;
  const int64_t local = at.rows == 0 ? 0 : at.rows * tile * (at.columns * tile + end);
  return local + whole * (whole + end) + 1;
}

/// The image in the middle of a gray square: [3, side, side] u8.
at::Tensor ViewProcessor::whole(const PageImage& image) const {
  const double w = image.width_px(), h = image.height_px(), side = double(views_.side);
  const double scale = side / std::max(w, h);
  const auto height = int64_t(std::nearbyint(views_.pillow && w > h ? h / w * side : h * scale));
  const auto width = int64_t(std::nearbyint(views_.pillow && h > w ? w / h * side : w * scale));
  at::Tensor square = at::full({3, views_.side, views_.side}, kGray, at::kByte);
  const auto margin = [&](int64_t length) {
    const int64_t over = views_.side - length;
    return views_.pillow ? int64_t(std::nearbyint(double(over) * 0.5)) : over / 2;
  };
  square.narrow(1, margin(height), height)
      .narrow(2, margin(width), width)
      .copy_(resized(image, height, width));
  return square;
}

Patches ViewProcessor::operator()(const PageImage& image) const {
  const PatchGrid grid = this->grid(image.width_px(), image.height_px());
  const Tiles at = tiles(image.width_px(), image.height_px());
  const int64_t tile = views_.tile, p = views_.patch;
  std::vector<at::Tensor> parts;
  if (at.rows > 0) {
    const at::Tensor all = normalized(resized(image, at.rows * tile, at.columns * tile));
    for (int64_t i = 0; i < at.rows * at.columns; ++i)
      parts.push_back(cut(all.narrow(1, i / at.columns * tile, tile)
                              .narrow(2, i % at.columns * tile, tile)
                              .contiguous(),
                          p));
  }
  parts.push_back(cut(normalized(whole(image)), p));
  return {at::cat(parts), grid, image.width_px(), image.height_px()};
}

}  // namespace docspec

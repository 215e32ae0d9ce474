#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

#include "core/page/page_image.h"

namespace docspec {

class Checkpoint;

/// Sides of an image counted in patches; time is 1 for a page.
struct PatchGrid {
  int64_t t = 1, h = 0, w = 0;
  int64_t patches() const { return t * h * w; }
  bool operator==(const PatchGrid&) const = default;
};

struct Patches {
  at::Tensor values;  // [t*h*w, 3 * temporal * patch * patch] f32, CPU
  PatchGrid grid;
  int64_t width_px = 0, height_px = 0;  // of the image that was cut
};

/// The settings of a Qwen2-VL style preprocessor_config.json.
struct ImageProcessorConfig {
  int64_t patch = 14, merge = 2, temporal = 2;
  int64_t min_pixels = 56 * 56, max_pixels = 28 * 28 * 1280;
  double rescale = 1.0 / 255;
  std::array<double, 3> mean{0.48145466, 0.4578275, 0.40821073};
  std::array<double, 3> std{0.26862954, 0.26130258, 0.27577711};

  /// min_pixels / max_pixels override size.shortest_edge / longest_edge (areas, too); what the file
  /// leaves out stays as in `out`. Throws Error(dependency) naming the key.
  static ImageProcessorConfig read(const Checkpoint& checkpoint, ImageProcessorConfig out);
  static ImageProcessorConfig read(const Checkpoint& checkpoint);
  /// Throws Error(dependency) unless the vision tower's sizes are these.
  void require(int64_t patch, int64_t merge, int64_t temporal) const;
};

/// Page pixels -> patches, equal to the reference's: smart resize on uint8 by antialiased bicubic,
/// horizontal pass first, then rescaled, normalised and cut into patches in the order of merge x
/// merge blocks, each repeated for the two frames of the temporal patch.
class ImageProcessor {
 public:
  explicit ImageProcessor(const ImageProcessorConfig& config) : config_(config) {}
  virtual ~ImageProcessor() = default;

  const ImageProcessorConfig& config() const { return config_; }
  /// The grid an image of this size gets. Throws Error(input_file) when a side is 1 pixel or one
  /// side is more than 200 times the other.
  virtual PatchGrid grid(int width_px, int height_px) const;
  /// Visual rows of the language model for an image of this size. Throws as grid().
  virtual int64_t visual_tokens(int width_px, int height_px) const;
  /// Throws as grid().
  virtual Patches operator()(const PageImage& image) const;
  /// Replaces the least and the most pixels of an image; 0 = as they are.
  void set_limits(int64_t min_pixels, int64_t max_pixels);
  /// Allows images no more pixels than this.
  virtual void limit(int64_t max_pixels);

 protected:
  /// [3, height, width] u8, as the reference resizes.
  static at::Tensor resized(const PageImage& image, int64_t height, int64_t width);
  /// u8 pixels [..., 3, height, width] -> f32, rescaled and normalised.
  at::Tensor normalized(const at::Tensor& pixels) const;
  /// The image resized to `grid` and normalised: [patches, 3 * patch * patch], in raster order.
  Patches raster_patches(const PageImage& image, const PatchGrid& grid) const;

  ImageProcessorConfig config_;
};

}  // namespace docspec

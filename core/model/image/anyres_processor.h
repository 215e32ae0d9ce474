#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/image/image_processor.h"

namespace docspec {

class Checkpoint;

/// Sides of a raster in patches of the language model, and what unpadding leaves of them.
struct AnyresLayout {
  int64_t tile_rows = 0, tile_columns = 0;
  int64_t top = 0, left = 0;      ///< patches cut off at each side, top = bottom, left = right
  int64_t rows = 0, columns = 0;  ///< after the cut
  int64_t kept_rows = 0, kept_columns = 0;  ///< after shrinking to the allowed maximum
};

/// Images as LLaVA-OneVision sees them: the whole one, stretched to a square tile, then the image
/// fitted into the best of some resolutions (black around it) and cut into tiles. Grid: t tiles,
/// the whole one first, h x w patches each; what a tile's side leaves over is not seen.
class AnyresProcessor : public ImageProcessor {
 public:
  struct Config {
    int64_t side = 384, patch = 14;
    int64_t most_tiles = 9;  ///< in visual rows: larger rasters are shrunk to so many tiles' worth
    std::vector<std::pair<int64_t, int64_t>> resolutions;  ///< height, width
  };
  /// `config` side, patch and most_tiles; the resolutions are read from the checkpoint.
  AnyresProcessor(const Checkpoint& checkpoint, Config config);

  PatchGrid grid(int width_px, int height_px) const override;
  int64_t visual_tokens(int width_px, int height_px) const override;
  Patches operator()(const PageImage& image) const override;
  /// Leaves out resolutions of more pixels, but for the smallest one.
  void limit(int64_t max_pixels) override;

  AnyresLayout layout(int64_t width_px, int64_t height_px) const;

 private:
  std::pair<int64_t, int64_t> best_resolution(int64_t width_px, int64_t height_px) const;

  Config anyres_;
};

}  // namespace docspec

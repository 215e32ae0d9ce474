#pragma once

#include <cstdint>

#include "core/model/image/image_processor.h"

namespace docspec {

class Checkpoint;

/// Images as DeepSeek-OCR sees them: one larger than a tile in some tiles, stretched to fill them,
/// and always the whole of it, in the middle of a gray square. Patches: those of each tile in turn,
/// then the whole image's, raster order each; Patches::grid counts them all in one row.
class ViewProcessor : public ImageProcessor {
 public:
  struct Config {
    int64_t side = 1024, tile = 768, patch = 16;
    int64_t least_tiles = 2, most_tiles = 6;
    bool newlines = false;  ///< visual rows end each row of a view, the tiles being one view
    bool pillow = false;    ///< the square's margins are rounded as Pillow's ImageOps.pad does
  };
  /// How many tiles, downwards and across.
  struct Tiles {
    int64_t rows = 0, columns = 0;
  };
  /// Reads scales and, where they are stored, the sides.
  ViewProcessor(const Checkpoint& checkpoint, Config config);

  PatchGrid grid(int width_px, int height_px) const override;
  int64_t visual_tokens(int width_px, int height_px) const override;
  Patches operator()(const PageImage& image) const override;
  /// Allows fewer tiles; the whole image is always seen.
  void limit(int64_t max_pixels) override;

  const Config& views() const { return views_; }
  Tiles tiles(int64_t width_px, int64_t height_px) const;
  /// Visual rows along a side of this many pixels.
  int64_t tokens_of(int64_t side_px) const;

 private:
  at::Tensor whole(const PageImage& image) const;

  Config views_;
};

}  // namespace docspec

#pragma once

#include "core/model/image/image_processor.h"

namespace docspec {

/// Pixtral's images ([lighton-ocr]): the longest side is limited, not the area; both sides are
/// rounded up to whole patches of the processor. Patches are cut in raster order. A last row or
/// column that fills no merge block is seen by the tower and gives no visual row.
class PixtralProcessor : public ImageProcessor {
 public:
  /// `patch`: the tower's; `merge`: its patches on a side of a visual row. Throws Error(dependency)
  /// unless the processor's patch is a multiple of the tower's.
  PixtralProcessor(const Checkpoint& checkpoint, int64_t patch, int64_t merge);

  PatchGrid grid(int width_px, int height_px) const override;
  int64_t visual_tokens(int width_px, int height_px) const override;
  Patches operator()(const PageImage& image) const override;

 private:
  int64_t longest_px_ = 0, step_px_ = 0;  ///< most of a side; sides are multiples of
};

}  // namespace docspec

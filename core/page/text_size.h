#pragma once

#include <span>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// The usual size of the letters of drafts (their em) in pixels of the page's raster, from the
/// widths of the words: half an em a character, one of Chinese and Japanese, the same for text
/// layers and OCR whatever their boxes' heights mean. 0 when no word is long enough to say.
double text_em_px(std::span<const Draft* const> drafts);

/// The factor that brings letters of this size to `text_px`, 1 when either is unknown; within
/// [0.25, 2], so that a wrong guess keeps the text legible.
double text_scale(double em_px, double text_px);

/// How large an image is.
struct ImageSize {
  int width_px = 0, height_px = 0;
  double dpi = 0;
};

/// The size of an image times `factor`, which `scaled` (core/model/image) gives it.
ImageSize scaled_size(const PageImage& image, double factor);

}  // namespace docspec

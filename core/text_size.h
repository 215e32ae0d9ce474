#pragma once

#include <span>

#include "core/draft.h"
#include "core/page_image.h"

namespace docspec {

/// The usual size of a page's letters (their em) in pixels of its raster, from the widths of the
/// drafts' words: half an em a character, the same for text layers and OCR whatever their boxes'
/// heights mean. 0 when the drafts have too few words to say.
double text_em_px(std::span<const Draft> drafts);

/// The factor that brings a page's letters to `text_px`, 1 when either is unknown; within
/// [0.25, 2], so that a wrong guess keeps the page legible.
double text_scale(std::span<const Draft> drafts, double text_px);

/// How large an image is.
struct ImageSize {
  int width_px = 0, height_px = 0;
  double dpi = 0;
};

/// The size of `scaled`.
ImageSize scaled_size(const PageImage& image, double factor);

/// The image times `factor` (bicubic, antialiased), its dpi too; itself when nothing would change.
PageImage scaled(const PageImage& image, double factor);

}  // namespace docspec

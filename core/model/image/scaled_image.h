#pragma once

#include "core/page/text_size.h"

namespace docspec {

/// The image times `factor` (bicubic, antialiased), its dpi too; itself when nothing would change.
PageImage scaled(const PageImage& image, double factor);
/// The image in another size and shape (bicubic, antialiased); its dpi stays.
PageImage stretched(const PageImage& image, int width_px, int height_px);

}  // namespace docspec

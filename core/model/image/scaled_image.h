#pragma once

#include "core/page/text_size.h"

namespace docspec {

/// The image times `factor` (bicubic, antialiased), its dpi too; itself when nothing would change.
PageImage scaled(const PageImage& image, double factor);

}  // namespace docspec

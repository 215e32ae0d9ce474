#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// The page without the single black and white pixels, and the lone dots, that some scanners
/// sprinkle over it; as it is where there are no more of them than print has.
PageImage without_specks(const PageImage& page);

/// A coarse-grained page a little blurred: the mean of each pixel's neighbours, the near ones
/// twice; as it is where the grain is fine.
PageImage without_grain(const PageImage& page);

}  // namespace docspec

#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// A page of light letters on dark paper with its light turned over, so that the letters are dark;
/// any other page as it is: one whose paper is light, and a dark one with nothing on it.
PageImage dark_on_light(PageImage page);

}  // namespace docspec

#pragma once

#include "core/page/pix_ptr.h"

namespace docspec {

/// Marks the pixels of `gray` (8 bits a pixel) that are darker by `least` of 255 or more than what
/// lies on both their sides within `reach` pixels (odd) around them: above and below if the strokes
/// run across, else left and right. These are the pixels of Leptonica's pixTophat(L_TOPHAT_BLACK)
/// from `least` on, by rows of bytes. nullptr = no memory.
PixPtr dark_strokes(Pix* gray, bool across, int reach, int least);

}  // namespace docspec

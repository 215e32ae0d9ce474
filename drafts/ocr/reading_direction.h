#pragma once

#include "core/document/drafter.h"

namespace docspec {

/// Right angles clockwise (0..3) by which a page that was scanned sideways or upside down must be
/// turned, whatever its /Rotate says. What the strokes of its letters suggest must make lines that
/// `ocr` reads better than those of the page as it is. `page` needs its image.
int turns_by_strokes(Drafter& ocr, const PageInput& page);

/// The same for a page of a few lines, too few to tell by their strokes: the way in which `ocr`
/// reads far more letters than it does as the page is; 0 if there is none. Reads eight lines four
/// times.
int turns_by_reading(Drafter& ocr, const PageInput& page);

}  // namespace docspec

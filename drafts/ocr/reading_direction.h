#pragma once

#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Whether most lines are taller than wide: the page lies on its side, or its script runs
/// downwards.
bool mostly_tall(const std::vector<Box>& lines);

/// Right angles clockwise (0..3) by which a page that was scanned sideways or upside down must be
/// turned, whatever its /Rotate says. What the strokes of its letters suggest must make lines that
/// `ocr` reads better than those of the page as it is. `page` needs its image.
int turns_by_strokes(Drafter& ocr, const PageInput& page);

/// The same for a page of a few lines, too few to tell by their strokes: the way in which `ocr`
/// reads far more letters than it does as the page is; 0 if there is none. Has the page read four
/// times: eight lines of it, or all by an engine that reads whole pages, as PP-OCR does.
int turns_by_reading(Drafter& ocr, const PageInput& page);

}  // namespace docspec

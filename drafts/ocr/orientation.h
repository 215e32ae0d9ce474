#pragma once

#include "core/page/page_image.h"

namespace docspec {

/// Right angles clockwise (0..3) by which a page of Latin text must be turned to stand upright, by
/// its ascenders and descenders ([leptonica] pixOrientDetect, about 20 ms); 0 when undecided. Needs
/// 150 dpi or more.
int quarter_turns_to_upright(const PageImage& image);

/// A copy turned clockwise.
PageImage turn(const PageImage& image, int quarter_turns);

/// Degrees clockwise, up to 7 either way, by which a scan must be turned for its lines of text to
/// lie level ([leptonica] pixFindSkew, about 15 ms); 0 when it is small or not sure.
double degrees_to_straight(const PageImage& image);

}  // namespace docspec

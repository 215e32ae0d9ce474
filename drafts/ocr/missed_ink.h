#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// What a detector of lines passes over because it stands alone.
struct MissedInk {
  /// The sign of a list's item.
  struct Sign {
    size_t line = 0;  ///< index of the line that it stands before
    Word word;        ///< "•" or "-"
  };
  std::vector<Sign> signs;
  std::vector<Box> letters;  ///< around one to three digits or letters
};

/// Looks for small pieces of dark ink: dots, circles and dashes at the left of a line, dots and
/// circles that open one, alike and below each other at least twice; outside all lines what is as
/// high as the letters of two lines in its row: the single digits of tables. `lines`: boxes around
/// ink, in pixels of `image`.
MissedInk find_missed_ink(const PageImage& image, std::span<const Box> lines);

}  // namespace docspec

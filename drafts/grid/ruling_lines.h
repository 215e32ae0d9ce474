#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Straight lines drawn on a page, as thin boxes in frame pixels.
struct RulingLines {
  std::vector<Box> across;  ///< from top to bottom
  std::vector<Box> down;    ///< from left to right
};

/// Finds the lines of a page that was rendered, not scanned: straight edges of 20 points and more,
/// whatever their colours, so that the border of a filled cell is a line too. Edges at most 3
/// points apart are the two sides of one line. `scale` = frame pixels a pixel of `image`; `words`:
/// those of the page, whose letters are no lines.
RulingLines find_drawn_lines(const PageImage& image, double scale, std::span<const Word> words);

/// Finds ruling lines of a third of an inch and more: long runs of pixels that are thin and darker
/// than what lies on both sides of them, paper or shade ([leptonica] top-hat and opening by
/// bricks). `scale` = frame pixels a pixel of `image`.
RulingLines find_ruling_lines(const PageImage& image, double scale);

/// The lines of a page: those drawn where its words have fonts, else those of a scan. None without
/// PageInput::image.
RulingLines find_rules(const PageInput& page);

/// Rules across that lie above each other and have one width, each stack from top to bottom; not
/// those at the head and the foot of a page of `height_px`. `em_px`: size of the body text.
std::vector<std::vector<Box>> rule_stacks(const RulingLines& rules, int height_px, double em_px);

/// The rules of 1.2 inches and more that run down a scan, as columns of newspapers have between
/// them, in frame pixels: pieces one below the other where one tilts or is broken, each as long as
/// the way to the next. `dpi`: of the image, which may not know its own.
std::vector<Box> find_column_rules(const PageImage& image, double scale, double dpi);

}  // namespace docspec

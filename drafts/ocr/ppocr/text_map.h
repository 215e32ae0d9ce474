#pragma once

#include <vector>

#include "drafts/ocr/ppocr/line_bend.h"

namespace docspec::ppocr {

/// A line of text in an image: a rectangle that may be tilted.
struct LineBox {
  double x = 0, y = 0;           ///< its middle
  double width = 0, height = 0;  ///< along and across its base line
  double angle = 0;              ///< radians clockwise from level, (-pi/4, pi/4]
  double score = 0;              ///< mean probability of text inside, 0..1
  LineBend bend{};               ///< of a line on bent paper, within the rectangle
};

/// Whether it is on bent paper, and followed along its bend.
bool is_bent(const LineBox& line);
/// Height of the line itself, less than its rectangle's on bent paper.
double thickness_of(const LineBox& line);

struct TextMapOptions {
  float threshold = 0.3f;    ///< of a pixel that is text
  double least_score = 0.5;  ///< of a line
  double unclip = 1.6;       ///< how far lines grow to the size they were shrunk from
  int least_side = 3;        ///< of a line before it grows, in pixels of the map
};

/// Lines of a detector's map, [height, width] probabilities: connected areas of text, each as its
/// smallest rectangle, grown by area * unclip / perimeter on each side. From top to bottom of the
/// map by their first pixels. [DB, arXiv 1911.08947] as [rapidocr] ch_ppocr_det/utils.py, but an
/// area that fills too little of its rectangle is parted: a line hangs on its drop capital, and the
/// indices of formulas on their line. Lines are followed where the paper of the whole page bends.
std::vector<LineBox> find_lines(const float* map, int width, int height,
                                const TextMapOptions& options = {});

}  // namespace docspec::ppocr

#include "drafts/picture_finder.h"

#include <algorithm>

#include "drafts/ink_map.h"

namespace docspec {
namespace {

/// Joins pictures that overlap or touch.
void join_pictures(std::vector<Box>& pictures, int near_px) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < pictures.size() && !again; ++i)
      for (size_t j = i + 1; j < pictures.size() && !again; ++j) {
        const Box grown{pictures[i].x0 - near_px, pictures[i].y0 - near_px,
                        pictures[i].x1 + near_px, pictures[i].y1 + near_px};
        if (intersect(grown, pictures[j]).empty()) continue;
        pictures[i] = unite(pictures[i], pictures[j]);
        pictures.erase(pictures.begin() + std::ptrdiff_t(j));
        again = true;
      }
  }
}

}  // namespace

std::vector<Box> find_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                               std::span<const Box> taken) {
  if (!page.image || page.image->empty()) return {};
  InkMap ink(*page.image, double(page.width_px) / page.image->width_px());
  std::vector<Box> text;
  for (const TextLine& line : lines) text.push_back(line.box);
  text.insert(text.end(), taken.begin(), taken.end());
  ink.erase(text);
  const double point = page.dpi / 72;
  std::vector<Box> pictures;
  for (const InkMap::Piece& piece : ink.pieces()) {
    const Box box = intersect(piece.box, {0, 0, page.width_px, page.height_px});
    double text_area = 0;
    for (const Box& line : text) text_area += double(intersect(line, box).area());
    const bool large = std::min(box.width(), box.height()) >= 30 * point &&
                       double(box.area()) >= 0.008 * page.width_px * page.height_px;
    const bool frame =
        text_area > 0.3 * double(box.area()) || (text_area > 0 && piece.core_fill < 0.04);
    const bool background =
        text_area > 0 && double(box.area()) > 0.8 * page.width_px * page.height_px;
    if (large && !frame && !background) pictures.push_back(box);
  }
  join_pictures(pictures, int(page.dpi / 12));
  return pictures;
}

}  // namespace docspec

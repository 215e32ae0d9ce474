#include "drafts/layout/picture_finder.h"

#include <algorithm>

#include "core/page/ink_map.h"

namespace docspec {
namespace {

/// One colour from edge to edge: the ground of a frame or a bar, not a picture.
bool plain(const PageImage& image, const Box& box, int frame_width_px) {
  constexpr int kSame = 10;
  const double scale = double(image.width_px()) / frame_width_px;
  const Box own = intersect({int(box.x0 * scale) + 4, int(box.y0 * scale) + 4,
                             int(box.x1 * scale) - 4, int(box.y1 * scale) - 4},
                            {0, 0, image.width_px(), image.height_px()});
  int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  for (int y = own.y0; y < own.y1; ++y)
    for (const uint8_t* rgb = image.row(y) + size_t(own.x0) * 3;
         rgb < image.row(y) + size_t(own.x1) * 3; rgb += 3)
      for (int c = 0; c < 3; ++c) {
        low[c] = std::min<int>(low[c], rgb[c]);
        high[c] = std::max<int>(high[c], rgb[c]);
      }
  return !own.empty() && high[0] - low[0] < kSame && high[1] - low[1] < kSame &&
         high[2] - low[2] < kSame;
}

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
    // The rest of a frame that its text fills in part, or a bar at the page's edge.
    const Box beside{box.x0 - int(12 * point), box.y0, box.x1 + int(12 * point), box.y1};
    const bool at_edge = box.x0 <= 4 * point || box.y0 <= 4 * point ||
                         box.x1 >= page.width_px - 4 * point ||
                         box.y1 >= page.height_px - 4 * point;
    const bool ground =
        (at_edge || std::any_of(text.begin(), text.end(),
                                [&](const Box& line) {
                                  return intersect(line, beside).height() * 2 > line.height();
                                })) &&
        plain(*page.image, box, page.width_px);
    if (large && !background && !frame && !ground) pictures.push_back(box);
  }
  join_pictures(pictures, int(page.dpi / 12));
  return pictures;
}

}  // namespace docspec

#include "core/letters/picture_boxes.h"

#include <allheaders.h>

#include <algorithm>
#include <vector>

#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

bool is_picture(const Block& block) {
  return block.kind == RegionKind::picture && block.text.empty();
}

/// The box of a picture's ink without the words in `cleared`. Rules, underlines and single specks
/// do not count: empty where there is nothing else.
Box shown(const PageImage& image, const Box& box, const std::vector<Box>& cleared) {
  constexpr int kPaper = 250;       // of each colour, at least
  constexpr size_t kManyDots = 30;  // a drawing of dots
  const PixPtr light = darkest_channel(image.crop(box));
  const PixPtr ink(light ? pixThresholdToBinary(light.get(), kPaper) : nullptr);
  if (!ink) return box;
  std::vector<Box> own;
  for (const Box& one : cleared) {
    const int more = one.height() / 6 + 1;
    own.push_back({one.x0 - more - box.x0, one.y0 - more - box.y0, one.x1 + more - box.x0,
                   one.y1 + more - box.y0});
  }
  clear_boxes(ink.get(), own);
  const std::vector<Box> pieces = boxes_of_pieces(ink.get());
  const int thin = int(image.dpi() / 20), small = int(image.dpi() / 8);
  Box out;
  for (const Box& piece : pieces)
    if (pieces.size() > kManyDots || (std::min(piece.width(), piece.height()) >= thin &&
                                      std::max(piece.width(), piece.height()) >= small))
      out = unite(out, piece);
  if (out.empty()) return {};
  return {out.x0 + box.x0, out.y0 + box.y0, out.x1 + box.x0, out.y1 + box.y0};
}

/// The words of the page, and those of them that stand in blocks which are no pictures.
struct WordsOfPage {
  std::vector<Box> all, own;
  std::vector<Box> tables;  // whose rules and colours are theirs, too
};

WordsOfPage words_of(const PageImage& image, std::span<const PageWord> words, const Page& page) {
  WordsOfPage out;
  std::vector<Box> blocks;
  for (const Block& block : page.blocks) {
    if (is_picture(block) || !has_own_box(block, page)) continue;
    blocks.push_back(image.to_pixels(block.box_pt));
    if (block.kind == RegionKind::table) out.tables.push_back(blocks.back());
  }
  for (const PageWord& word : words) {
    if (!word.doubt.empty()) continue;
    out.all.push_back(word.box);
    if (std::any_of(blocks.begin(), blocks.end(),
                    [&](const Box& box) { return holds_middle(box, word.box); }))
      out.own.push_back(word.box);
  }
  return out;
}

std::vector<Box> inside(const std::vector<Box>& words, const Box& box) {
  std::vector<Box> out;
  for (const Box& word : words)
    if (!intersect(word, box).empty()) out.push_back(word);
  return out;
}

}  // namespace

bool has_own_box(const Block& block, const Page& page) {
  const PointBox& box = block.box_pt;
  const double area = (box.x1 - box.x0) * (box.y1 - box.y0);
  return area > 0 && (page.blocks.size() == 1 || area < 0.9 * page.width_pt * page.height_pt);
}

void trim_pictures(const PageImage& image, std::span<const PageWord> words, Page& page) {
  constexpr double kSame = 0.9;
  const WordsOfPage known = words_of(image, words, page);
  std::vector<Box> kept;
  // Whether a picture stays.
  const auto trim = [&](Block& block) {
    const Box page_box{0, 0, image.width_px(), image.height_px()};
    const Box box = intersect(image.to_pixels(block.box_pt), page_box);
    if (box.empty()) return true;
    std::vector<Box> all = inside(known.all, box), own = inside(known.own, box);
    if (own.empty() && all.empty()) return true;
    const size_t free = all.size() - own.size();
    for (const Box& table : inside(known.tables, box)) {
      all.push_back(table);
      own.push_back(table);
    }
    const bool text = shown(image, box, all).empty();
    if (text && (free == 0 || !has_own_box(block, page))) return false;
    if (text) {
      block.kind = RegionKind::text;
      return true;
    }
    const Box rest = own.empty() ? box : shown(image, box, own);
    block.box_pt = own.empty() ? block.box_pt : image.to_points(rest);
    if (std::any_of(kept.begin(), kept.end(),
                    [&](const Box& other) { return iou(other, rest) > kSame; }))
      return false;
    kept.push_back(rest);
    return true;
  };
  const size_t before = page.blocks.size();
  std::erase_if(page.blocks, [&](Block& block) { return is_picture(block) && !trim(block); });
  if (page.blocks.size() < before) number_blocks(page.blocks);
}

}  // namespace docspec

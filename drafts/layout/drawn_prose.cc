#include "drafts/layout/drawn_prose.h"

#include <algorithm>

#include "core/base/median.h"
#include "core/page/dark_paper.h"
#include "core/page/ink_pieces.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr double kLeastArea = 0.04;  // of the page

/// A row of ink, in pixels of the image.
struct InkRow {
  int from = 0, to = 0, x0 = 0, x1 = 0;
  size_t ink = 0;

  int height() const { return to - from; }
};

/// The rows of ink within a box, parted by rows of pixels without any but those of a frame at its
/// sides.
std::vector<InkRow> rows_of_ink(const PageImage& image, const Box& box) {
  constexpr int kInk = 140;
  constexpr size_t kFrame = 60;  // of a hundred pixels of a column
  const auto is_ink = [&](int x, int y) { return image.row(y)[3 * x + 1] < kInk; };
  std::vector<size_t> down(size_t(box.width()), 0);
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) down[size_t(x - box.x0)] += is_ink(x, y);
  std::vector<InkRow> rows;
  bool open = false;
  for (int y = box.y0; y < box.y1; ++y) {
    int x0 = box.x1, x1 = box.x0;
    size_t ink = 0;
    for (int x = box.x0; x < box.x1; ++x)
      if (is_ink(x, y) && down[size_t(x - box.x0)] * 100 < kFrame * size_t(box.height()))
        x0 = std::min(x0, x), x1 = x, ++ink;
    if (ink == 0) {
      open = false;
      continue;
    }
    if (!open) rows.push_back({y, y, x0, x1, 0});
    open = true;
    InkRow& row = rows.back();
    row.to = y + 1;
    row.x0 = std::min(row.x0, x0);
    row.x1 = std::max(row.x1, x1);
    row.ink += ink;
  }
  return rows;
}

/// `anyhow`: lines of text may end where they like, and be as high as formulas are; else most of
/// them are half as wide as the box.
bool looks_like_text(const PageImage& image, const Box& box, bool anyhow = false) {
  constexpr size_t kLeastRows = 5, kListing = 10;
  constexpr int kLowest = 6, kHighest = 45;    // pixels
  constexpr double kSame = 1.7, kDense = 0.4;  // kDense: share of a row's box that is ink
  constexpr double kFormula = 3;               // times as high as most rows
  const std::vector<InkRow> rows = rows_of_ink(image, box);
  std::vector<int> heights;
  for (const InkRow& row : rows)
    if (row.height() >= kLowest) heights.push_back(row.height());
  if (heights.size() < kLeastRows) return false;
  const int usual = median(heights);
  if (usual > kHighest) return false;
  size_t alike = 0, wide = 0, all = 0;
  for (const InkRow& row : rows) {
    const auto height = size_t(row.height());
    all += height;
    if (row.height() > (anyhow ? kFormula : kSame) * usual || row.height() * kSame < usual ||
        double(row.ink) > kDense * double(row.x1 - row.x0 + 1) * double(height))
      continue;
    alike += height;
    wide += (row.x1 - row.x0) * 2 > box.width() ? height : 0;
  }
  const bool listing = heights.size() >= kListing && alike * 20 >= all * 19 && wide * 4 >= all;
  return listing || (alike * 10 >= all * 8 && (anyhow || wide * 2 >= all));
}

/// What is drawn around a picture between the regions above and below it: of a listing on paper
/// only the denser lines look like pictures. The picture alone where a region is at its side.
Box drawn_around(const PageInput& page, const std::vector<Region>& regions, const Box& picture) {
  int above = 0, below = page.height_px;
  for (const Region& region : regions) {
    if (region.kind == RegionKind::picture) continue;
    if (region.box.y1 <= picture.y0)
      above = std::max(above, region.box.y1);
    else if (region.box.y0 >= picture.y1)
      below = std::min(below, region.box.y0);
    else
      return picture;
  }
  const double scale = double(page.width_px) / page.image->width_px();
  const Box band = intersect(in_image({0, above, page.width_px, below}, scale),
                             {0, 0, page.image->width_px(), page.image->height_px()});
  Box drawn = picture;
  for (const InkRow& row : rows_of_ink(*page.image, band))
    drawn = unite(drawn, {int(row.x0 * scale), int(row.from * scale), int((row.x1 + 1) * scale),
                          int(row.to * scale)});
  return drawn;
}

}  // namespace

std::vector<Box> find_drawn_prose(const PageInput& page, const std::vector<Region>& regions) {
  std::vector<Box> found;
  if (!page.image) return found;
  const double area = kLeastArea * double(page.width_px) * page.height_px;
  const double scale = double(page.width_px) / page.image->width_px();
  for (const Region& region : regions) {
    if (region.kind != RegionKind::picture) continue;
    for (const Box& drawn : {region.box, drawn_around(page, regions, region.box)}) {
      const Box box = intersect(in_image(drawn, scale),
                                {0, 0, page.image->width_px(), page.image->height_px()});
      if (double(drawn.area()) < area || !looks_like_text(*page.image, box)) continue;
      if (std::find(found.begin(), found.end(), drawn) == found.end()) found.push_back(drawn);
      break;
    }
  }
  return found;
}

std::vector<Box> find_dark_prose(const PageInput& page, const std::vector<Region>& regions) {
  std::vector<Box> found;
  if (!page.image) return found;
  const double area = kLeastArea * double(page.width_px) * page.height_px;
  const double scale = double(page.width_px) / page.image->width_px();
  for (const Region& region : regions) {
    const Box box = intersect(in_image(region.box, scale),
                              {0, 0, page.image->width_px(), page.image->height_px()});
    if (region.kind != RegionKind::picture || double(region.box.area()) < area || box.empty())
      continue;
    const PageImage dark = page.image->crop(box);
    const PageImage turned = dark_on_light(dark);
    const bool is_dark = !std::equal(dark.row(0), dark.row(0) + 3 * dark.width_px(), turned.row(0));
    if (is_dark && looks_like_text(turned, {0, 0, box.width(), box.height()}, true))
      found.push_back(region.box);
  }
  return found;
}

bool is_drawn_prose(const Box& picture, std::span<const Word> words) {
  constexpr size_t kLeastLetters = 80, kWord = 3;
  constexpr double kSureWord = 0.8, kSure = 0.7, kProse = 0.5;
  size_t all = 0, sure = 0, prose = 0;  // letters
  for (const Word& word : words) {
    if (intersect(word.box, picture).area() * 2 <= word.box.area()) continue;
    const size_t count = count_code_points(word.text);
    all += count;
    if (word.confidence >= kSureWord) sure += count;
    if (count >= kWord || count_cjk(word.text) > 0) prose += count;
  }
  return all >= kLeastLetters && double(sure) >= kSure * double(all) &&
         double(prose) >= kProse * double(all);
}

size_t count_letter_pieces(const PageInput& page, const Box& picture) {
  constexpr int kLowest = 4, kHighest = 60;  // pixels
  constexpr double kSame = 1.6;
  const double scale = double(page.width_px) / page.image->width_px();
  const Box box =
      intersect(in_image(picture, scale), {0, 0, page.image->width_px(), page.image->height_px()});
  if (box.empty()) return 0;
  std::vector<Box> letters;
  std::vector<int> heights;
  const InkPieces pieces(*page.image, box);
  for (const InkPieces::Blob& piece : pieces.all()) {
    const int height = piece.box.height(), width = piece.box.width();
    if (height < kLowest || height > kHighest || width > 3 * height ||
        piece.pixels * 5 < height * width)
      continue;
    letters.push_back(piece.box);
    heights.push_back(height);
  }
  if (letters.empty()) return 0;
  const int usual = median(std::move(heights));
  std::erase_if(letters, [&](const Box& letter) {
    return letter.height() * kSame < usual || letter.height() > kSame * usual;
  });
  std::sort(letters.begin(), letters.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  return size_t(std::count_if(letters.begin(), letters.end(), [&](const Box& letter) {
    for (auto next = &letter + 1; next <= &letters.back() && next->x0 <= letter.x1 + usual; ++next)
      if (next->x0 > letter.x0 && std::abs(next->y1 - letter.y1) * 3 <= usual) return true;
    return false;
  }));
}

}  // namespace docspec

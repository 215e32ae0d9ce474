#include "drafts/regions/vertical_page.h"

#include "core/text/unicode.h"
#include "drafts/ocr/orientation.h"
#include "drafts/text/upright_words.h"

namespace docspec {

bool runs_downwards(std::span<const Word> words) {
  size_t down = 0, all = 0;
  for (const Word& word : words) {
    const size_t letters = count_code_points(word.text);
    all += letters;
    if (word.quarter_turns == 1 && is_cjk(first_code_point(word.text))) down += letters;
  }
  return 2 * down > all;
}

std::vector<Region> detect_downwards(LayoutDetector& detector, const PageInput& page) {
  const int width = page.width_px;
  std::vector<Word> words(page.words.begin(), page.words.end());
  turn_words(words, 3, width, page.height_px);
  PageInput turned = page;
  turned.words = words;
  turned.width_px = page.height_px;
  turned.height_px = width;
  PageImage image;
  if (page.image && !page.image->empty()) {
    image = turn(*page.image, 3);
    turned.image = &image;
  }
  std::vector<Region> regions = detector.detect(turned);
  for (Region& region : regions) {
    const Box b = region.box;
    region.box = {width - b.y1, b.x0, width - b.y0, b.x1};
    if (region.kind == RegionKind::table) region.kind = RegionKind::text;  // its cells lie turned
    region.cells.clear();
  }
  return regions;
}

}  // namespace docspec

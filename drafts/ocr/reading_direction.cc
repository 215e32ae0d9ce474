#include "drafts/ocr/reading_direction.h"

#include <algorithm>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/orientation.h"
#include "drafts/ocr/tesseract_drafter.h"

namespace docspec {
namespace {

/// Whether a word lies on its side. Chinese columns, which run downwards, do not.
bool on_side(const Word& word) {
  return word.quarter_turns % 2 != 0 && !is_cjk(first_code_point(word.text));
}

/// Letters of some lines of `image` that OCR is sure of, without those of words on their side,
/// which PP-OCR turns itself.
double sure_letters(Drafter& ocr, PageInput page, const PageImage& image) {
  constexpr size_t kLines = 8;
  constexpr double kSure = 0.6;
  page.image = &image;
  page.width_px = image.width_px();
  page.height_px = image.height_px();
  std::vector<Box> lines = ocr.text_lines(page);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Box& a, const Box& b) { return a.area() > b.area(); });
  lines.resize(std::min(kLines, lines.size()));
  double letters = 0;
  for (const Word& word : read_lines(ocr, page, lines))
    if (word.confidence >= kSure && !on_side(word)) letters += double(word.text.size());
  return letters;
}

}  // namespace

bool mostly_tall(const std::vector<Box>& lines) {
  const auto tall = std::count_if(lines.begin(), lines.end(),
                                  [](const Box& line) { return line.height() > 2 * line.width(); });
  return size_t(tall) * 2 > lines.size();
}

int turns_by_strokes(Drafter& ocr, const PageInput& page) {
  const int turns = quarter_turns_to_upright(*page.image);
  if (turns == 0) return 0;
  // What it takes for ascenders is so for Latin letters alone.
  if (const auto script = guess_script(*page.image); script && script->upright) return 0;
  const double turned = sure_letters(ocr, page, turn(*page.image, turns));
  return turned > sure_letters(ocr, page, *page.image) ? turns : 0;
}

int turns_by_reading(Drafter& ocr, const PageInput& page) {
  constexpr double kFarMore = 2, kLeast = 12;  // letters
  double most = std::max(kLeast, kFarMore * sure_letters(ocr, page, *page.image));
  int best = 0;
  for (const int turns : {2, 1, 3}) {
    const double letters = sure_letters(ocr, page, turn(*page.image, turns));
    if (letters <= most) continue;
    most = letters;
    best = turns;
  }
  return best;
}

}  // namespace docspec

#include "core/page/covered_words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "core/page/region.h"

namespace docspec {
namespace {

enum class Patch { none, dark, light };

/// Whether a box on the page is of one colour, whose channels differ by `same` at most.
Patch patch_of(const PageImage& image, const Box& box, int same) {
  constexpr int kDark = 128;
  const Box own = intersect(box, {0, 0, image.width_px(), image.height_px()});
  int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  for (int y = own.y0; y < own.y1; ++y)
    for (int x = own.x0; x < own.x1; ++x)
      for (int c = 0; c < 3; ++c) {
        const int value = image.row(y)[3 * x + c];
        low[c] = std::min(low[c], value), high[c] = std::max(high[c], value);
        if (high[c] - low[c] > same) return Patch::none;
      }
  if (own.empty()) return Patch::none;
  return (low[0] + low[1] + low[2]) / 3 < kDark ? Patch::dark : Patch::light;
}

bool is_patch(const PageImage& image, const Box& box) {
  constexpr int kSame = 12;
  return patch_of(image, box, kSame) == Patch::dark;
}

/// A word's box in pixels of the image.
Box box_on(const Word& word, double scale) {
  const auto px = [&](double v) { return int(std::lround(v / scale)); };
  return {px(word.box.x0), px(word.box.y0), px(word.box.x1), px(word.box.y1)};
}

bool is_covered(const Word& word, const PageImage& image, double scale) {
  const Box box = box_on(word, scale);
  // A patch may leave the word's edge and its punctuation free.
  const int edge = std::min(box.width(), box.height()) / 5, part = box.width() * 7 / 10;
  const int y0 = box.y0 + edge, y1 = box.y1 - edge;
  const bool covered = is_patch(image, {box.x0 + edge, y0, box.x0 + part, y1}) ||
                       is_patch(image, {box.x1 - part, y0, box.x1 - edge, y1});
  // A panel that is dark by a fault of the file is higher than a line.
  const int x = (box.x0 + box.x1) / 2, height = box.height();
  const auto dark = [&](int y) { return is_patch(image, {x, y, x + 1, y + 1}); };
  return covered && !dark(box.y0 - height) && !dark(box.y1 + height);
}

/// Whether a word is of Latin letters, for which there is always a font, and leaves no trace.
bool is_unseen(const Word& word, const PageImage& image, double scale) {
  constexpr int kSame = 3;
  const auto is_plain = [](char c) { return c > ' ' && c <= '~'; };
  return std::all_of(word.text.begin(), word.text.end(), is_plain) &&
         patch_of(image, box_on(word, scale), kSame) == Patch::light;
}

/// Signs alone are none: points are added where a list of contents lacks them.
bool has_letters(const Word& word) {
  constexpr std::ptrdiff_t kLeastLetters = 3;
  return std::count_if(word.text.begin(), word.text.end(),
                       [](char c) { return std::isalnum(uint8_t(c)) != 0; }) >= kLeastLetters;
}

}  // namespace

void censor_covered(std::vector<Word>& words, const PageImage& image, double scale) {
  for (Word& word : words)
    if (is_covered(word, image, scale)) word.text = "\u2588";
}

void drop_unseen(std::vector<Word>& words, const PageImage& image, double scale) {
  constexpr size_t kMostShare = 4;  // of more, the page is at fault
  std::vector<bool> unseen, dropped;
  for (const Word& word : words) {
    unseen.push_back(is_unseen(word, image, scale));
    dropped.push_back(unseen.back() && has_letters(word));
  }
  for (size_t i = 1; i < words.size(); ++i)  // short ones among them
    if (dropped[i - 1] && unseen[i]) dropped[i] = true;
  const auto count = size_t(std::count(dropped.begin(), dropped.end(), true));
  if (count * kMostShare > words.size()) return;
  size_t at = 0;
  std::erase_if(words, [&](const Word&) { return dropped[at++]; });
}

}  // namespace docspec

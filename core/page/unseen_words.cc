#include "core/page/unseen_words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "core/page/region.h"

namespace docspec {
namespace {

/// The lightness of a box of one colour; nothing if something is drawn in it, or if it lies off the
/// page.
std::optional<int> plain_colour(const PageImage& image, const Box& box) {
  constexpr int kSame = 12;
  const Box own = intersect(box, {0, 0, image.width_px(), image.height_px()});
  if (own.empty()) return std::nullopt;
  int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  for (int y = own.y0; y < own.y1; ++y)
    for (int x = own.x0; x < own.x1; ++x)
      for (int c = 0; c < 3; ++c) {
        const int value = image.row(y)[3 * x + c];
        low[c] = std::min(low[c], value), high[c] = std::max(high[c], value);
        if (high[c] - low[c] > kSame) return std::nullopt;
      }
  return (low[0] + low[1] + low[2]) / 3;
}

enum class Seen { yes, covered, blank };

/// A letter or a digit: the dots of a leader may be too faint to tell.
bool has_letter(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return uint8_t(c) >= 0x80 || std::isalnum(uint8_t(c)); });
}

Seen look_at(const Word& word, const PageImage& image, double scale) {
  constexpr int kDark = 128;
  if (!has_letter(word.text)) return Seen::yes;
  const auto px = [&](double v) { return int(std::lround(v / scale)); };
  const Box box{px(word.box.x0), px(word.box.y0), px(word.box.x1), px(word.box.y1)};
  // A patch may leave the word's edge and its punctuation free.
  const int edge = std::min(box.width(), box.height()) / 5, part = box.width() * 7 / 10;
  for (const Box& own : {Box{box.x0 + edge, box.y0 + edge, box.x0 + part, box.y1 - edge},
                         Box{box.x1 - part, box.y0 + edge, box.x1 - edge, box.y1 - edge}})
    if (const auto colour = plain_colour(image, own); colour && *colour < kDark)
      return Seen::covered;
  // The box may stand beside its letters.
  const int grown = std::max(2, std::min(box.width(), box.height()) / 4);
  const Box around{box.x0 - grown, box.y0 - grown, box.x1 + grown, box.y1 + grown};
  return plain_colour(image, around) ? Seen::blank : Seen::yes;
}

}  // namespace

void drop_unseen(std::vector<Word>& words, const PageImage& image, double scale) {
  std::vector<Seen> seen;
  for (const Word& word : words) seen.push_back(look_at(word, image, scale));
  const auto blank = size_t(std::count(seen.begin(), seen.end(), Seen::blank));
  const bool undrawn = blank * 5 >= words.size();
  size_t at = 0;
  std::erase_if(words, [&](const Word&) {
    const Seen own = seen[at++];
    return own == Seen::covered || (own == Seen::blank && !undrawn);
  });
}

}  // namespace docspec

#include "drafts/text/underscores.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr double kLeastGapEm = 0.25, kMostGapEm = 0.9;

/// Fonts in which TeX's first encoding is used, which has no underscore.
bool lacks_underscore(const std::string& font) {
  return font.starts_with("CM") || font.starts_with("Nimbus");
}

/// A dark pixel without a colour: frames of links are coloured.
bool dark(const PageImage& image, int x, int y) {
  constexpr int kDark = 190, kColoured = 60;  // a rule may be thinner than a pixel
  if (x < 0 || y < 0 || x >= image.width_px() || y >= image.height_px()) return false;
  const uint8_t* pixel = image.row(y) + size_t(x) * 3;
  const auto [least, most] = std::minmax({pixel[0], pixel[1], pixel[2]});
  return (pixel[0] + pixel[1] + pixel[2]) / 3 < kDark && most - least < kColoured;
}

/// Whether a rule at the feet of the letters lies in the gap from x0 to x1, where serifs alone do
/// not meet, and ends there: one that goes on below the words beside it, which reach from `from` to
/// `to`, underlines them.
bool has_rule(const PageImage& image, int from, int x0, int x1, int to, int feet, int em) {
  constexpr double kEmpty = 0.2, kUnderlined = 0.8;
  const auto share = [&](int left, int right, int y) {
    int count = 0;
    for (int x = left; x < right; ++x) count += dark(image, x, y);
    return double(count) / std::max(1, right - left);
  };
  const int side = (x1 - x0) / 4, away = std::max(3, em / 6);
  // Above it is white, and below it up to where the next line may begin.
  for (int y = feet - em * 2 / 5; y <= feet; ++y)
    if (share(x0 + side, x1 - side, y) == 1 && share(x0, x1, y - 2 * away) < kEmpty &&
        share(x0, x1, y + away) < kEmpty)
      return std::max(share(from, x0, y), share(x1, to, y)) < kUnderlined;
  return false;
}

/// The rule that begins right behind a word's feet, ends before `end`, and has nothing above it; an
/// empty box where there is none. In pixels of the image.
Box blank_behind(const PageImage& image, const Box& word, int end) {
  constexpr double kNear = 0.9, kLeast = 1.8, kAbove = 0.65, kThick = 0.2, kInk = 0.04;  // heights
  const int em = word.height(), least = int(kLeast * em);
  for (int y = word.y1 - em / 4; y <= word.y1 + em / 5; ++y) {
    int x0 = word.x1;
    while (x0 < word.x1 + int(kNear * em) && !dark(image, x0, y)) ++x0;
    int x1 = x0;
    while (x1 < end && dark(image, x1, y)) ++x1;
    if (x1 - x0 < least || dark(image, word.x1 - em / 2, y)) continue;
    for (int row = y - 1; row <= y + 1; ++row)  // the border of a table goes on
      if (x1 >= end && dark(image, end + em / 3, row)) return {};
    int bottom = y;  // a thick bar or a picture is no rule
    while (bottom - y < int(kThick * em) + 2 && dark(image, (x0 + x1) / 2, bottom)) ++bottom;
    if (bottom - y > int(kThick * em) + 1) return {};
    int ink = 0;
    for (int row = y - int(kAbove * em); row < y - em / 8; ++row)
      for (int x = x0; x < x1; ++x) ink += dark(image, x, row);
    if (ink > kInk * (x1 - x0) * kAbove * em) return {};
    return {x0, word.y0, x1, word.y1};
  }
  return {};
}

}  // namespace

void add_blanks(std::vector<Word>& words, const PageImage& image, double scale) {
  constexpr size_t kMostWords = 4000;
  const auto is_cjk_word = [](const Word& word) { return count_cjk(word.text) > 0; };
  if (words.size() > kMostWords || std::none_of(words.begin(), words.end(), is_cjk_word)) return;
  std::vector<Word> out;
  for (size_t i = 0; i < words.size(); ++i) {
    out.push_back(words[i]);
    const Word& word = words[i];
    if (word.quarter_turns != 0 || word.box.height() <= 0 || word.text.find('_') != word.text.npos)
      continue;
    const Word* next = nullptr;  // in its row
    bool cjk = is_cjk_word(word);
    for (const Word& other : words) {
      const int middle = (other.box.y0 + other.box.y1) / 2;
      if (middle < word.box.y0 || middle > word.box.y1) continue;
      cjk |= is_cjk_word(other);
      if (other.box.x0 >= word.box.x1 && (!next || other.box.x0 < next->box.x0)) next = &other;
    }
    if (!cjk) continue;
    const int end = next ? int(next->box.x0 / scale) : image.width_px();
    const Box blank = blank_behind(image, in_image(word.box, scale), end);
    if (blank.empty()) continue;
    Word filled = word;
    filled.text = "____";
    filled.heavy = false;
    filled.box = {int(blank.x0 * scale), word.box.y0, int(blank.x1 * scale), word.box.y1};
    out.back().space_after = true;
    filled.space_after = true;
    out.push_back(std::move(filled));
  }
  words = std::move(out);
}

void join_underscored(std::vector<Word>& words, const PageImage& image, double scale) {
  std::vector<Word> joined;
  for (Word& word : words) {
    Word* const last = joined.empty() ? nullptr : &joined.back();
    const auto in_image = [&](double v) { return int(v / scale); };
    const double em = last ? last->box.height() : 0;
    const int gap = last ? word.box.x0 - last->box.x1 : 0;
    const bool beside = last && lacks_underscore(word.font) && gap > kLeastGapEm * em &&
                        gap < kMostGapEm * em && last->quarter_turns == 0 &&
                        word.quarter_turns == 0 && std::abs(last->box.y1 - word.box.y1) * 8 < em &&
                        std::isalnum(uint8_t(last->text.back())) &&
                        std::isalnum(uint8_t(word.text.front()));
    if (!beside ||
        !has_rule(image, in_image(last->box.x0), in_image(last->box.x1), in_image(word.box.x0),
                  in_image(word.box.x1), in_image(last->box.y1), in_image(em))) {
      joined.push_back(std::move(word));
      continue;
    }
    last->text += '_' + word.text;
    last->box = unite(last->box, word.box);
    last->space_after = word.space_after;
  }
  words = std::move(joined);
}

}  // namespace docspec

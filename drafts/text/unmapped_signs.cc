#include "drafts/text/unmapped_signs.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "drafts/text/ink_pieces.h"

namespace docspec {
namespace {

constexpr std::string_view kUnmapped = "\uFFFD", kMinus = "\u2212";

/// Whether what a word begins with is drawn as a bar at the height of a minus.
bool opens_with_bar(const Word& word, const PageImage& image, double scale) {
  const auto px = [&](int v) { return int(v / scale); };
  const Box box = intersect({px(word.box.x0), px(word.box.y0), px(word.box.x1), px(word.box.y1)},
                            {0, 0, image.width_px(), image.height_px()});
  const double em = word.font_size_pt * image.dpi() / 72;
  if (box.width() < 3 || box.height() < 3 || word.quarter_turns != 0) return false;
  const InkPieces pieces(image, box);
  const auto& all = pieces.all();
  const auto first = std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.box.x0 < b.box.x0; });
  if (first == all.end()) return false;
  constexpr double kShortest = 0.25, kThickest = 0.15, kSlender = 2.5;
  constexpr double kHighest = 0.3, kLowest = 0.8;  // of the word's height
  const Box& bar = first->box;
  const double middle = ((bar.y0 + bar.y1) / 2.0 - box.y0) / box.height();
  return bar.width() >= kShortest * em && bar.height() <= std::max(2.0, kThickest * em) &&
         bar.width() >= kSlender * bar.height() && middle > kHighest && middle < kLowest;
}

}  // namespace

void read_unmapped_signs(std::vector<Word>& words, const PageImage& image, double scale) {
  for (Word& word : words) {
    if (!word.text.starts_with(kUnmapped)) continue;
    const std::string_view rest = std::string_view(word.text).substr(kUnmapped.size());
    const bool number = !rest.empty() && (std::isdigit(uint8_t(rest[0])) || rest[0] == '.');
    if ((rest.empty() || number) && opens_with_bar(word, image, scale))
      word.text.replace(0, kUnmapped.size(), kMinus);
  }
  std::erase_if(words, [](const Word& word) {
    for (std::string_view rest = word.text; !rest.empty(); rest.remove_prefix(kUnmapped.size()))
      if (!rest.starts_with(kUnmapped)) return false;
    return true;
  });
}

}  // namespace docspec

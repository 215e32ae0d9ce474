#include "drafts/grid/white_strips.h"

#include <algorithm>
#include <cstdlib>

namespace docspec {
namespace {

constexpr double kMostWhite = 0.5;  // inches

/// Between pairs of rules across that end at one white.
std::vector<Box> between_rules(const RulingLines& rules, std::span<const Word> words, double dpi) {
  constexpr double kLeastRule = 1;  // inches
  constexpr int kSame = 4;          // pixels
  struct Pair {
    Box left, right;
  };
  std::vector<Pair> pairs;
  std::vector<Box> whites;
  for (const Box& left : rules.across)
    for (const Box& right : rules.across) {
      const int white = right.x0 - left.x1;
      if (std::abs(left.y0 - right.y0) > kSame || white <= 0 || white > kMostWhite * dpi ||
          std::min(left.width(), right.width()) < kLeastRule * dpi)
        continue;
      const auto above = std::find_if(pairs.rbegin(), pairs.rend(), [&](const Pair& pair) {
        return pair.left.y1 < left.y0 && std::abs(pair.left.x0 - left.x0) <= kSame &&
               std::abs(pair.left.x1 - left.x1) <= kSame &&
               std::abs(pair.right.x0 - right.x0) <= kSame &&
               std::abs(pair.right.x1 - right.x1) <= kSame;
      });
      if (above != pairs.rend()) {
        const Box strip{left.x1, above->left.y1, right.x0, left.y0};
        const int x = (strip.x0 + strip.x1) / 2;
        if (std::none_of(words.begin(), words.end(),
                         [&](const Word& word) { return !intersect(word.box, strip).empty(); }))
          whites.push_back({x, strip.y0, x + 1, strip.y1});
      }
      pairs.push_back({left, right});
    }
  return whites;
}

/// Between lines down that stand side by side, as the edges of two frames do.
std::vector<Box> between_frames(const RulingLines& rules, std::span<const Word> words, double dpi) {
  constexpr double kLeastWhite = 0.1, kLeastSide = 0.2;  // inches
  constexpr size_t kMostSides = 600;                     // a drawing has more
  std::vector<Box> whites;
  if (rules.down.size() > kMostSides) return whites;
  for (const Box& left : rules.down)
    for (const Box& right : rules.down) {
      const Box strip{left.x1, std::max(left.y0, right.y0), right.x0, std::min(left.y1, right.y1)};
      if (strip.width() < kLeastWhite * dpi || strip.width() > kMostWhite * dpi ||
          strip.height() < kLeastSide * dpi)
        continue;
      const auto is_in = [&](const Box& box) { return !intersect(box, strip).empty(); };
      const int x = (strip.x0 + strip.x1) / 2;
      if (std::none_of(rules.down.begin(), rules.down.end(), is_in) &&
          std::none_of(rules.across.begin(), rules.across.end(), is_in) &&
          std::none_of(words.begin(), words.end(),
                       [&](const Word& word) { return is_in(word.box); }))
        whites.push_back({x, strip.y0, x + 1, strip.y1});
    }
  return whites;
}

}  // namespace

std::vector<Box> whites_between(const RulingLines& rules, std::span<const Word> words, double dpi) {
  std::vector<Box> whites = between_rules(rules, words, dpi);
  const std::vector<Box> frames = between_frames(rules, words, dpi);
  whites.insert(whites.end(), frames.begin(), frames.end());
  return whites;
}

std::vector<Box> walls_of(std::span<const Box> whites, std::span<const Word> words, double dpi) {
  constexpr double kAside = 0.1, kBreak = 1;  // inches
  std::vector<Box> sorted(whites.begin(), whites.end()), walls;
  std::sort(sorted.begin(), sorted.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  const auto goes_on = [&](const Box& wall, const Box& white) {
    const Box way{wall.x0, wall.y1, wall.x1, white.y0};
    return std::abs(wall.x0 - white.x0) < kAside * dpi && way.y1 - way.y0 < kBreak * dpi &&
           std::none_of(words.begin(), words.end(),
                        [&](const Word& word) { return !intersect(word.box, way).empty(); });
  };
  for (const Box& white : sorted) {
    const auto above = std::find_if(walls.begin(), walls.end(),
                                    [&](const Box& wall) { return goes_on(wall, white); });
    if (above == walls.end())
      walls.push_back(white);
    else
      above->y1 = std::max(above->y1, white.y1);
  }
  std::stable_sort(walls.begin(), walls.end(),
                   [](const Box& a, const Box& b) { return a.height() > b.height(); });
  return walls;
}

}  // namespace docspec

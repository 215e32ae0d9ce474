#include "drafts/ocr/line_regularity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/base/median.h"

namespace docspec {
namespace {

/// Of a word, in the middle of its box.
struct Foot {
  double x = 0, y = 0, width = 0;
};

/// Letters that all stand on the base line, in old faces and italics too; other scripts and digits,
/// of which old faces lower some, are left out.
bool stands_on_line(const std::string& text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isalpha(uint8_t(c)) && !std::strchr("fgjpqyJQ", c);
         });
}

/// Mean distance from the line through the feet that has the median slope [Theil-Sen].
std::optional<double> distance(const std::vector<Foot>& feet) {
  std::vector<double> slopes;
  for (size_t i = 0; i < feet.size(); ++i)
    for (size_t j = i + 1; j < feet.size(); ++j)
      if (std::abs(feet[j].x - feet[i].x) > 1)
        slopes.push_back((feet[j].y - feet[i].y) / (feet[j].x - feet[i].x));
  if (slopes.empty()) return std::nullopt;
  const double slope = median(std::move(slopes));
  std::vector<double> heights;
  for (const Foot& foot : feet) heights.push_back(foot.y - slope * foot.x);
  const double level = median(heights);
  double sum = 0;
  for (const double height : heights) sum += std::abs(height - level);
  return sum / double(feet.size());
}

constexpr size_t kLeastFeet = 3;
/// The distance of a foot from a place between two others, where each of the three has the mean
/// distance 1 from its own place.
constexpr double kOfTwo = 1.29;

struct BaseLine {
  std::vector<Foot> feet;  ///< at least kLeastFeet, from left to right
  double height = 1;       ///< of its words

  /// A mean distance in heights; boxes end at whole pixels.
  double share(double mean) const {
    constexpr double kRounded = 0.5;
    return mean < kRounded ? 0 : mean / height;
  }
};

std::vector<BaseLine> base_lines(std::span<const Word> words,
                                 std::span<const size_t> line_lengths) {
  std::vector<BaseLine> lines;
  for (const size_t length : line_lengths) {
    BaseLine line;
    std::vector<double> heights;
    for (const Word& word : words.first(length)) {
      heights.push_back(word.box.height());
      if (word.quarter_turns == 0 && stands_on_line(word.text))
        line.feet.push_back(
            {(word.box.x0 + word.box.x1) / 2.0, double(word.box.y1), double(word.box.width())});
    }
    words = words.subspan(length);
    if (line.feet.size() < kLeastFeet) continue;
    std::sort(line.feet.begin(), line.feet.end(),
              [](const Foot& a, const Foot& b) { return a.x < b.x; });
    line.height = std::max(1.0, median(std::move(heights)));
    lines.push_back(std::move(line));
  }
  return lines;
}

/// A line's feet, as far as the other line has feet on both sides, by their distances from the base
/// line of the other, which bends as the line does on bent paper.
std::vector<Foot> above(const BaseLine& line, const BaseLine& other) {
  std::vector<Foot> out;
  for (const Foot& foot : line.feet) {
    const auto right = std::find_if(other.feet.begin(), other.feet.end(),
                                    [&](const Foot& next) { return next.x >= foot.x; });
    if (right == other.feet.begin() || right == other.feet.end()) continue;
    const Foot &a = *(right - 1), &b = *right;
    const double apart = std::max(1.0, b.x - a.x), share = (foot.x - a.x) / apart;
    const double slope = std::abs(b.y - a.y) / apart;  // by which a wide word's box ends lower
    const double wider = foot.width - a.width - share * (b.width - a.width);
    out.push_back({foot.x, foot.y - a.y - share * (b.y - a.y) - slope * wider / 2});
  }
  return out;
}

/// The next line below most of whose feet are below; nullptr where there is none.
const BaseLine* next_below(const BaseLine& line, std::span<const BaseLine> lines) {
  const BaseLine* best = nullptr;
  double nearest = 0;
  for (const BaseLine& other : lines) {
    const std::vector<Foot> common = above(line, other);
    if (common.size() < kLeastFeet) continue;
    double down = 0;
    for (const Foot& foot : common) down -= foot.y / double(common.size());
    if (down <= 0 || (best && down >= nearest)) continue;
    best = &other, nearest = down;
  }
  return best;
}

/// What clearly more than half of the lines exceed: of few lines nearly all, as one in four of
/// print's short lines looks uneven, too.
double usual_share(std::vector<double> shares) {
  const auto n = double(shares.size());
  const auto below = size_t(std::floor(n / 2 - std::sqrt(n) / 2));
  std::nth_element(shares.begin(), shares.begin() + std::ptrdiff_t(below), shares.end());
  return shares[below];
}

}  // namespace

double baseline_jitter(std::span<const Word> words, std::span<const size_t> line_lengths) {
  constexpr size_t kLeastLines = 4;
  constexpr double kBent = 0.4;  // of the distances, that the bend of the paper does not explain
  const std::vector<BaseLine> lines = base_lines(words, line_lengths);
  std::vector<double> straight, bent, bent_shares;
  for (const BaseLine& line : lines) {
    if (const auto mean = distance(line.feet)) straight.push_back(line.share(*mean));
    const BaseLine* below = next_below(line, lines);
    const auto mean = below ? distance(above(line, *below)) : std::nullopt;
    if (!mean) continue;
    bent.push_back(*mean / kOfTwo / line.height);
    bent_shares.push_back(line.share(*mean / kOfTwo));
  }
  if (straight.size() < kLeastLines) return 0;
  const bool bends = bent.size() >= kLeastLines && median(bent) <= kBent * median(straight);
  return usual_share(std::move(bends ? bent_shares : straight));
}

double slope_jitter(std::span<const ppocr::LineBox> lines) {
  constexpr double kLong = 8, kBeside = 0.5, kNear = 4;  // heights, widths, heights
  constexpr size_t kLeastLines = 4;
  std::vector<double> jitters;
  for (const ppocr::LineBox& line : lines) {
    if (line.width < kLong * line.height) continue;
    const ppocr::LineBox* next = nullptr;
    for (const ppocr::LineBox& other : lines) {
      const double below = other.y - line.y, common = std::min(other.width, line.width);
      if (below < line.height / 2 || below > kNear * line.height || common < kLong * other.height ||
          std::abs(other.x - line.x) > kBeside * common)
        continue;
      if (!next || other.y < next->y) next = &other;
    }
    if (!next) continue;
    const double height = std::min(line.height, next->height);
    jitters.push_back(std::abs(next->angle - line.angle) * std::min(line.width, next->width) /
                      height);
  }
  return jitters.size() < kLeastLines ? 0 : median(std::move(jitters));
}

}  // namespace docspec

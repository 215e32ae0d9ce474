#include "drafts/ocr/line_regularity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/base/median.h"

namespace docspec {
namespace {

struct Foot {
  double x = 0, y = 0;
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

}  // namespace

double baseline_jitter(std::span<const Word> words, std::span<const size_t> line_lengths) {
  constexpr size_t kLeastWords = 3, kLeastLines = 4;
  constexpr double kRounded = 0.5;  // pixels: boxes end at whole ones
  std::vector<double> jitters;
  for (size_t length : line_lengths) {
    const std::span<const Word> line = words.first(length);
    words = words.subspan(length);
    std::vector<Foot> feet;
    std::vector<double> heights;
    for (const Word& word : line) {
      heights.push_back(word.box.height());
      if (word.quarter_turns == 0 && stands_on_line(word.text))
        feet.push_back({(word.box.x0 + word.box.x1) / 2.0, double(word.box.y1)});
    }
    if (feet.size() < kLeastWords) continue;
    if (const auto mean = distance(feet))
      jitters.push_back(*mean < kRounded ? 0 : *mean / std::max(1.0, median(std::move(heights))));
  }
  return jitters.size() < kLeastLines ? 0 : median(std::move(jitters));
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

#include "drafts/layout/chart_labels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "drafts/layout/region_rules.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

constexpr size_t kLeastSteps = 3;

/// A number on a scale.
struct Tick {
  int line = 0;
  double value = 0;
  Box box;
};

std::optional<double> number_of(std::string text) {
  if (text.starts_with("−")) text = "-" + text.substr(3);
  while (text.ends_with('%')) text.pop_back();
  if (text.empty() || text.find_first_not_of("0123456789.-+") != text.npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == 0 ? std::optional(value) : std::nullopt;
}

/// Whether values or places of neighbours lie in equal steps.
bool equal_steps(const std::vector<Tick>& ticks, const auto& of) {
  if (ticks.size() < kLeastSteps) return false;
  const double step = of(ticks[1]) - of(ticks[0]);
  for (size_t i = 2; i < ticks.size(); ++i)
    if (std::abs(of(ticks[i]) - of(ticks[i - 1]) - step) > 0.1 * std::abs(step)) return false;
  return step != 0;
}

/// Numbers of `all` that stand in line with its first, by `place` along the scale and `side` across
/// it, which are taken out of `all`.
std::vector<Tick> take_scale(std::vector<Tick>& all, const auto& side, const auto& place) {
  const int at = side(all.front()), reach = std::max(3, all.front().box.height() / 4);
  std::vector<Tick> scale;
  for (const Tick& tick : all)
    if (std::abs(side(tick) - at) <= reach) scale.push_back(tick);
  std::sort(scale.begin(), scale.end(),
            [&](const Tick& a, const Tick& b) { return place(a) < place(b); });
  std::erase_if(all, [&](const Tick& tick) { return std::abs(side(tick) - at) <= reach; });
  return scale;
}

/// How many numbers are on scales that run down (or across).
size_t on_scales(std::vector<Tick> all, bool down) {
  size_t count = 0;
  while (!all.empty()) {
    const auto middle = [](int a, int b) { return (a + b) / 2; };
    const auto scale = take_scale(
        all, [&](const Tick& t) { return down ? t.box.x1 : middle(t.box.y0, t.box.y1); },
        [&](const Tick& t) {
          return down ? middle(t.box.y0, t.box.y1) : middle(t.box.x0, t.box.x1);
        });
    const auto value = [](const Tick& tick) { return tick.value; };
    if (equal_steps(scale, value)) count += scale.size();
  }
  return count;
}

}  // namespace

std::vector<int> chart_labels(const Box& box, const std::vector<TextLine>& lines,
                              std::span<const Word> words) {
  constexpr size_t kMostWords = 6, kMostChars = 45;
  std::vector<int> labels;
  std::vector<Tick> ticks;
  for (int i = 0; i < int(lines.size()); ++i) {
    const TextLine& line = lines[size_t(i)];
    if (line.words.empty()) continue;
    const int reach = int(1.5 * line.size_px);
    const Box near{box.x0 - 2 * reach, box.y0 - reach, box.x1 + reach, box.y1 + 2 * reach};
    if (intersect(line.box, near).area() * 2 < line.box.area()) continue;
    const bool inside = intersect(line.box, box).area() * 2 >= line.box.area();
    const std::string text = line_text(words, line.words);
    const bool is_long = line.words.size() > kMostWords || line.chars > kMostChars;
    if (is_long && inside) return {};  // running text
    if (is_long || opens_caption(text)) continue;
    labels.push_back(i);
    // The numbers of a scale that stands on its side are one line.
    if (line.words.size() == 1 || line.quarter_turns % 2)
      for (int w : line.words) {
        const Word& word = words[size_t(w)];
        if (const auto value = number_of(word.text)) ticks.push_back({i, *value, word.box});
      }
  }
  const size_t down = on_scales(ticks, true);
  if (down < kLeastSteps) return {};
  return (down + on_scales(ticks, false)) * 10 >= ticks.size() * 7 ? labels : std::vector<int>();
}

}  // namespace docspec

#include "drafts/regions/listings.h"

#include <algorithm>
#include <cmath>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// Letters of lines by the type that they are set in.
struct TypeCounts {
  size_t typed = 0, chinese = 0, joined = 0, other = 0;  // joined: to Chinese, in its word

  void add(const TextLine& line, std::span<const Word> words) {
    for (const int w : line.words) {
      const Word& word = words[size_t(w)];
      const size_t cjk = count_cjk(word.text), rest = count_code_points(word.text) - cjk;
      chinese += cjk;
      (font_style(word.font).mono ? typed : cjk > 0 ? joined : other) += rest;
    }
  }
  /// Chinese is in no type of one width, and does not vote while it is less than half.
  bool of_listing() const { return typed + joined >= chinese && typed * 10 >= (typed + other) * 8; }
};

/// The boxes between two neighbouring rules down, and between the rules across that part them.
std::vector<Box> framed_boxes(const RulingLines& rules) {
  constexpr int kReach = 6;  // pixels that a rule may lack at its end
  std::vector<Box> boxes;
  for (const Box& left : rules.down) {
    const Box* right = nullptr;
    for (const Box& rule : rules.down)
      if (rule.x0 > left.x1 && std::min(rule.y1, left.y1) - std::max(rule.y0, left.y0) > kReach &&
          (!right || rule.x0 < right->x0))
        right = &rule;
    if (!right) continue;
    const int top = std::max(left.y0, right->y0), foot = std::min(left.y1, right->y1);
    std::vector<int> parts = {top - kReach, foot + kReach};
    for (const Box& rule : rules.across)
      if (rule.x0 < left.x1 + kReach && rule.x1 > right->x0 - kReach && rule.y0 > top + kReach &&
          rule.y1 < foot - kReach)
        parts.push_back((rule.y0 + rule.y1) / 2);
    std::sort(parts.begin(), parts.end());
    for (size_t i = 1; i < parts.size(); ++i)
      boxes.push_back({left.x0, parts[i - 1], right->x1, parts[i]});
  }
  return boxes;
}

/// Makes one line of code of each row within a framed listing.
void join_framed_rows(std::vector<TextLine>& lines, std::span<const Word> words, const Box& box,
                      double dpi) {
  constexpr size_t kLeastRows = 3;
  std::vector<size_t> inside;
  std::vector<Box> boxes;
  TypeCounts counts;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!holds_middle(box, lines[i].box)) continue;
    if (lines[i].quarter_turns != 0 || lines[i].words.empty() || lines[i].rough_size) return;
    inside.push_back(i);
    boxes.push_back(lines[i].box);
    counts.add(lines[i], words);
  }
  const auto rows = group_rows(boxes);
  if (rows.size() < kLeastRows || !counts.of_listing()) return;
  for (const auto& row : rows) {
    TypeCounts own;
    for (const int k : row) own.add(lines[inside[size_t(k)]], words);
    if (own.typed + own.chinese == 0 && lines[inside[size_t(row.front())]].bold) continue;
    TextLine& first = lines[inside[size_t(row.front())]];
    for (size_t k = 1; k < row.size(); ++k) {
      TextLine& next = lines[inside[size_t(row[k])]];
      first.words.insert(first.words.end(), next.words.begin(), next.words.end());
      next.words.clear();
    }
    std::stable_sort(first.words.begin(), first.words.end(), [&](int a, int b) {
      return words[size_t(a)].box.x0 < words[size_t(b)].box.x0;
    });
    summarise(first, words, dpi);
    first.mono = true;
    first.bold = false;
  }
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
}

/// The line right above or below another, over a part of its width; nullptr if there is none.
const TextLine* neighbour(const std::vector<TextLine>& lines, const TextLine& line, bool below) {
  const TextLine* best = nullptr;
  for (const TextLine& other : lines) {
    const double distance = (below ? 1 : -1) * (other.middle() - line.middle());
    if (distance < 0.4 * line.size_px || other.quarter_turns != 0 || other.box.x0 > line.box.x1 ||
        other.box.x1 < line.box.x0)
      continue;
    if (!best || distance < std::abs(best->middle() - line.middle())) best = &other;
  }
  return best;
}

/// How far apart the lines of code on a page are: half of them are no further from the next; 0
/// where too few stand below each other.
double listing_pitch(const std::vector<TextLine>& lines) {
  constexpr size_t kLeast = 3;
  constexpr double kFar = 2.4;  // em
  std::vector<double> pitches;
  for (const TextLine& line : lines)
    if (const TextLine* next = line.mono ? neighbour(lines, line, true) : nullptr;
        next && next->mono && next->middle() - line.middle() < kFar * line.size_px)
      pitches.push_back(next->middle() - line.middle());
  return pitches.size() < kLeast ? 0 : median(std::move(pitches));
}

}  // namespace

void settle_listings(std::vector<TextLine>& lines, std::span<const Word> words,
                     const RulingLines& rules, double dpi) {
  for (const Box& box : framed_boxes(rules)) join_framed_rows(lines, words, box, dpi);
  const double pitch = listing_pitch(lines);
  if (pitch == 0) return;
  constexpr double kOff = 0.25, kEmpty = 3.2, kIndent = 1;  // pitches; em
  const auto pitches = [&](const TextLine& a, const TextLine& b) {
    return std::abs(a.middle() - b.middle()) / pitch;
  };
  for (TextLine& line : lines) {  // from the top: the line above is settled
    if (line.mono || line.quarter_turns != 0 || line.words.empty() || line.rough_size) continue;
    const TextLine *above = neighbour(lines, line, false), *below = neighbour(lines, line, true);
    if (!above || !above->mono || !below) continue;
    const double up = pitches(line, *above), down = pitches(line, *below);
    TypeCounts counts, after;
    counts.add(line, words);
    after.add(*below, words);
    const bool near = std::abs(up - 1) < kOff && std::abs(down - 1) < kOff;
    const bool mixed = counts.chinese > 0 && counts.of_listing() && after.of_listing() &&
                       (near || (counts.typed > 0 && std::max(up, down) < kEmpty));
    const bool further_in = near && below->mono &&
                            line.box.x0 > above->box.x0 + kIndent * above->size_px &&
                            line.box.x0 > below->box.x0 - kIndent * above->size_px &&
                            line.size_px < 1.2 * above->size_px;
    line.mono = mixed || further_in;
  }
}

}  // namespace docspec

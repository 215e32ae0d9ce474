#include "drafts/formula/algorithm_boxes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>

namespace docspec {

bool is_algorithm_title(std::string_view line) {
  for (const std::string_view name : {"Algorithm", "ALGORITHM", "Procedure", "Listing", "算法"})
    if (line.starts_with(name) && line.size() > name.size())
      return std::isdigit(uint8_t(line[name.size()])) != 0;
  return false;
}

std::vector<Box> algorithm_boxes(std::span<const Box> rules, std::span<const Box> titles,
                                 double em) {
  constexpr double kAbove = 1.2, kTitle = 4, kLeastWidth = 8, kSame = 0.5;  // em
  std::vector<Box> boxes;
  for (const Box& title : titles) {
    const Box* first = nullptr;
    for (const Box& rule : rules)
      if (rule.width() > kLeastWidth * em && rule.y0 < title.y0 + 0.3 * em &&
          title.y0 - rule.y1 < kAbove * em && rule.x0 < title.x0 + em && rule.x1 > title.x0 + em &&
          (!first || rule.y0 > first->y0))
        first = &rule;
    if (!first) continue;
    std::vector<int> below;
    for (const Box& rule : rules)
      if (rule.y0 > title.y0 + 0.5 * em && std::abs(rule.x0 - first->x0) < kSame * em &&
          std::abs(rule.x1 - first->x1) < kSame * em)
        below.push_back(rule.y1);
    std::sort(below.begin(), below.end());
    if (below.size() > 1 && below[0] - title.y0 < kTitle * em)
      boxes.push_back({first->x0, first->y0, first->x1, below[1]});
  }
  return boxes;
}

std::vector<Box> find_algorithms(const std::vector<TextLine>& lines, std::span<const Word> words,
                                 std::span<const Box> rules, double em) {
  std::vector<Box> titles;
  for (const TextLine& line : lines) {
    std::string text;
    for (size_t k = 0; k < line.words.size() && k < 2; ++k)
      text += words[size_t(line.words[k])].text;
    if (line.quarter_turns == 0 && is_algorithm_title(text)) titles.push_back(line.box);
  }
  std::vector<Box> boxes = algorithm_boxes(rules, titles, em);
  std::erase_if(boxes, [&](const Box& box) {  // code in type of one width keeps its blanks
    std::ptrdiff_t typed = 0;
    for (const TextLine& line : lines)
      if (intersect(line.box, box) == line.box) typed += line.mono ? 1 : -1;
    return typed > 0;
  });
  return boxes;
}

namespace {

bool begins_with_digit(const TextLine& line, std::span<const Word> words) {
  return !line.words.empty() && std::isdigit(uint8_t(words[size_t(line.words[0])].text[0]));
}

/// "Input:", "Require:".
bool begins_with_name(const TextLine& line, std::span<const Word> words) {
  return !line.words.empty() && words[size_t(line.words[0])].text.ends_with(':');
}

/// Where the second column of an algorithm begins: three numbered lines and more below each other
/// at its left, and none across. `right` = there is none.
int second_column(const std::vector<int>& inside, const std::vector<TextLine>& lines,
                  std::span<const Word> words, double em, int right) {
  constexpr size_t kLeastLines = 3;
  const auto line = [&](int i) -> const TextLine& { return lines[size_t(i)]; };
  int left = right;
  for (const int i : inside) left = std::min(left, line(i).box.x0);
  for (const int i : inside) {
    const int x = line(i).box.x0;
    if (x < left + 6 * em || !begins_with_digit(line(i), words)) continue;
    size_t below = 0;
    bool crossed = false;
    for (const int k : inside) {
      below += std::abs(line(k).box.x0 - x) < 0.5 * em && begins_with_digit(line(k), words);
      crossed |= line(k).box.x0 < x - em && line(k).box.x1 > x;
    }
    if (below >= kLeastLines && !crossed) return x;
  }
  return right;
}

}  // namespace

std::vector<TextBlock> rows_within(const Box& box, const std::vector<TextLine>& lines,
                                   std::span<const Word> words, double em) {
  std::vector<int> inside;
  for (int i = 0; i < int(lines.size()); ++i)
    if (intersect(box, lines[size_t(i)].box).area() * 2 > lines[size_t(i)].box.area())
      inside.push_back(i);
  const int middle = second_column(inside, lines, words, em, box.x1);
  std::vector<TextBlock> rows;
  for (const bool second : {false, true}) {
    const int right = second ? box.x1 : middle;
    std::vector<int> own;
    std::vector<Box> boxes;
    for (const int i : inside)
      if ((lines[size_t(i)].box.x0 > middle - em) == second) {
        own.push_back(i);
        boxes.push_back(lines[size_t(i)].box);
      }
    bool full = false;  // the row above
    for (const std::vector<int>& row : group_rows(boxes)) {
      const TextLine& first = lines[size_t(own[size_t(row[0])])];
      // A line that is too long for the box goes on below.
      if (!full || begins_with_digit(first, words) || begins_with_name(first, words))
        rows.emplace_back();
      full = true;
      for (size_t k = 0; k < row.size(); ++k) {
        rows.back().push_back(own[size_t(row[k])]);
        const int end = k + 1 < row.size() ? boxes[size_t(row[k + 1])].x0 : right - int(em);
        full &= end - boxes[size_t(row[k])].x1 < 2 * em;  // else a comment stands there
      }
    }
  }
  return rows;
}

}  // namespace docspec

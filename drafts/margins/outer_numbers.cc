#include "drafts/margins/outer_numbers.h"

#include <algorithm>
#include <string>

#include "drafts/margins/page_numbers.h"

namespace docspec {
namespace {

/// "73", but not "5/29", which may be a date.
bool is_plain(const std::string& text) {
  constexpr size_t kMostDigits = 4;
  return !text.empty() && text.size() <= kMostDigits &&
         std::all_of(text.begin(), text.end(), is_numeral);
}

}  // namespace

std::vector<int> outer_numbers(const PageInput& page, const std::vector<TextLine>& lines) {
  constexpr double kDeepest = 0.08;  // of the page
  constexpr size_t kMost = 2;
  std::vector<int> numbers;
  Box text;
  for (int i = 0; i < int(lines.size()); ++i) {
    const TextLine& line = lines[size_t(i)];
    const int depth = std::min(line.box.y1, page.height_px - line.box.y0);
    if (line.quarter_turns == 0 && depth < kDeepest * page.height_px &&
        is_plain(closed_up(line, page.words)))
      numbers.push_back(i);
    else
      text = unite(text, line.box);
  }
  std::erase_if(numbers, [&](int i) {
    const Box& box = lines[size_t(i)].box;
    return box.x1 > text.x0 && box.x0 < text.x1;
  });
  return numbers.size() > kMost ? std::vector<int>() : numbers;
}

}  // namespace docspec

#include "drafts/text/upright_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace docspec {

int quarter_turns_to_upright(const std::vector<Word>& words) {
  constexpr double kMost = 0.6;
  std::array<size_t, 4> letters{};
  size_t all = 0;
  for (const Word& word : words) {
    letters[size_t(word.quarter_turns)] += word.text.size();
    all += word.text.size();
  }
  const auto most = std::max_element(letters.begin(), letters.end());
  if (double(*most) < kMost * double(all)) return 0;
  return (4 - int(most - letters.begin())) % 4;
}

void turn_words(std::vector<Word>& words, int turns, int width_px, int height_px) {
  for (; turns > 0; --turns) {
    for (Word& word : words) {
      const Box b = word.box;
      word.box = {height_px - b.y1, b.x0, height_px - b.y0, b.x1};
      word.quarter_turns = (word.quarter_turns + 1) % 4;
    }
    std::swap(width_px, height_px);
  }
}

}  // namespace docspec

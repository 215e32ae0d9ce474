#include "drafts/text/drop_caps.h"

#include <algorithm>
#include <cctype>

#include "core/base/median.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

void join_drop_caps(std::vector<Word>& words) {
  std::vector<double> sizes;
  for (const Word& word : words)
    if (word.font_size_pt > 0) sizes.push_back(word.font_size_pt);
  if (sizes.empty()) return;
  const double usual = median(std::move(sizes));
  for (size_t i = 0; i < words.size(); ++i) {
    const Word initial = words[i];
    if (initial.text.size() != 1 || !std::isupper(uint8_t(initial.text[0])) ||
        initial.font_size_pt < 1.8 * usual || initial.quarter_turns != 0)
      continue;
    Word* first = nullptr;  // word of the first line beside it, maybe in small capitals
    size_t lines = 0;       // beside it
    for (Word& word : words) {
      const int middle = (word.box.y0 + word.box.y1) / 2;
      const int gap = word.box.x0 - initial.box.x1, em = word.box.height();
      if (word.font_size_pt > 1.3 * usual || middle < initial.box.y0 || middle > initial.box.y1 ||
          gap < -em || gap > em)
        continue;
      ++lines;
      const bool same_line = first && row_overlap(word.box, first->box) > 0.5;
      if (!first || (same_line ? word.box.x0 < first->box.x0 : word.box.y0 < first->box.y0))
        first = &word;
    }
    if (lines < 2 || !std::isalpha(uint8_t(first->text[0]))) continue;
    first->text.insert(0, initial.text);
    words.erase(words.begin() + std::ptrdiff_t(i));
    --i;
  }
}

}  // namespace docspec

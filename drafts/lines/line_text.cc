#include "drafts/lines/line_text.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace docspec {
namespace {

/// -1 right to left, 1 left to right, 0 neither.
int direction(const Word& word) {
  for (size_t at = 0; at < word.text.size();) {
    const uint32_t c = next_code_point(word.text, at);
    if (is_right_to_left(c)) return -1;
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xC0 && c < 0x590)) return 1;
  }
  return 0;
}

/// Right-to-left lines are read from the right; numbers and foreign words in them keep their order.
std::vector<int> reading_direction(std::span<const Word> words, std::span<const int> line) {
  std::vector<int> order(line.begin(), line.end());
  int balance = 0;
  for (int i : order) balance += direction(words[i]);
  if (balance >= 0) return order;
  std::reverse(order.begin(), order.end());
  for (auto it = order.begin(); it != order.end();) {
    it = std::find_if(it, order.end(), [&](int i) { return direction(words[i]) == 1; });
    const auto end = std::find_if(it, order.end(), [&](int i) { return direction(words[i]) != 1; });
    std::reverse(it, end);
    it = end;
  }
  return order;
}

}  // namespace

std::string line_text(std::span<const Word> words, std::span<const int> line) {
  std::string text;
  const std::vector<int> order = reading_direction(words, line);
  for (size_t k = 0; k < order.size(); ++k) {
    const Word& word = words[order[k]];
    text += word.text;
    if (k + 1 == order.size()) break;
    const Word& next = words[order[k + 1]];
    // The space belongs to the left one of the two, which right-to-left scripts read second.
    const bool forward = next.box.x0 >= word.box.x0;
    const Word& left = forward ? word : next;
    const Word& right = forward ? next : word;
    const bool touching = right.box.x0 - left.box.x1 < 0.3 * left.box.height();
    // Poppler sees no gap between an Arabic and a Latin word; pdftotext too parts them.
    const bool turns = direction(word) * direction(next) < 0;
    if (left.space_after || !touching || turns) text += ' ';
  }
  return text;
}

}  // namespace docspec

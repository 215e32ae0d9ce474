#include "drafts/lines/line_text.h"

#include <algorithm>
#include <cmath>

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

/// Poppler parts a word where its letters change in size, as small capitals do ("F" "ORMER"), and
/// calls that a blank: the gap tells.
bool blank_between(const Word& left, const Word& right) {
  const int gap = right.box.x0 - left.box.x1;
  const double height = std::max(left.box.height(), right.box.height());
  const double a = left.font_size_pt, b = right.font_size_pt;
  if (a > 0 && b > 0 && std::abs(a - b) > 0.03 * std::max(a, b) && gap < 0.09 * height)
    return false;
  return left.space_after || gap >= 0.3 * left.box.height();
}

enum class IndexKind { none, raised, lowered };

/// Whether digits stand as an index beside `base`: smaller, above or below its line, near it.
IndexKind script_of(const Word& word, const Word& base) {
  constexpr size_t kMostDigits = 3;
  const bool digits =
      std::all_of(word.text.begin(), word.text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const int gap = std::max(word.box.x0 - base.box.x1, base.box.x0 - word.box.x1);
  if (!digits || word.text.size() > kMostDigits || word.font_size_pt <= 0 ||
      word.font_size_pt > 0.85 * base.font_size_pt || gap > 0.3 * base.box.height())
    return IndexKind::none;
  const double height = base.box.height();
  if (word.box.y1 < base.box.y1 - 0.15 * height && word.box.y0 < base.box.y0 + 0.2 * height)
    return IndexKind::raised;
  return word.box.y0 > base.box.y0 + 0.3 * height && word.box.y1 > base.box.y1 - 0.1 * height
             ? IndexKind::lowered
             : IndexKind::none;
}

std::string as_script(const std::string& digits, IndexKind script) {
  static constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  static constexpr const char* kLowered[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string out;
  for (char c : digits) out += (script == IndexKind::raised ? kRaised : kLowered)[c - '0'];
  return out;
}

/// A word's text; an index in the digits that Unicode has for one.
std::string word_text(std::span<const Word> words, const std::vector<int>& order, size_t k) {
  const Word& word = words[size_t(order[k])];
  for (const size_t beside : {k - 1, k + 1}) {  // k - 1 wraps at the first word
    if (beside >= order.size()) continue;
    const IndexKind script = script_of(word, words[size_t(order[beside])]);
    if (script == IndexKind::raised || (script == IndexKind::lowered && beside < k))
      return as_script(word.text, script);
  }
  return word.text;
}

}  // namespace

std::string line_text(std::span<const Word> words, std::span<const int> line) {
  std::string text;
  const std::vector<int> order = reading_direction(words, line);
  for (size_t k = 0; k < order.size(); ++k) {
    const Word& word = words[order[k]];
    text += word_text(words, order, k);
    if (k + 1 == order.size()) break;
    const Word& next = words[order[k + 1]];
    // The space belongs to the left one of the two, which right-to-left scripts read second.
    const bool forward = next.box.x0 >= word.box.x0;
    const Word& left = forward ? word : next;
    const Word& right = forward ? next : word;
    // Poppler sees no gap between an Arabic and a Latin word; pdftotext too parts them.
    const bool turns = direction(word) * direction(next) < 0;
    if (turns || blank_between(left, right)) text += ' ';
  }
  return text;
}

}  // namespace docspec

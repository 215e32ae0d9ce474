#include "drafts/layout/page_margins.h"

#include <algorithm>
#include <cctype>

namespace docspec {
namespace {

bool all_digits(const TextLine& line, std::span<const Word> words) {
  if (line.words.empty() || line.words.size() > 3) return false;
  size_t digits = 0, letters = 0;
  for (int i : line.words)
    for (char c : words[i].text) {
      digits += c >= '0' && c <= '9';
      letters += uint8_t(c) >= 0x80 || std::isalpha(uint8_t(c));
    }
  return digits > 0 && digits <= 4 && letters == 0;
}

/// The lines of the outermost row at the top or bottom if it is a running header or footer: set
/// apart from the text by more than a line, not larger than it, and either far out in the margin or
/// with a page number at hand.
std::vector<int> margin_row(const PageInput& page, const std::vector<TextLine>& lines,
                            double body_px, bool top) {
  std::vector<int> row;
  const auto depth = [&](const TextLine& line) {  // distance of its inner edge from the page's edge
    return top ? line.box.y1 : page.height_px - line.box.y0;
  };
  int outer = -1, next_depth = INT32_MAX;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[i].quarter_turns % 2 == 0 && (outer < 0 || depth(lines[i]) < depth(lines[outer])))
      outer = i;
  if (outer < 0) return row;
  bool number = false, small = true, prose = false;
  for (int i = 0; i < int(lines.size()); ++i) {
    if (lines[i].quarter_turns % 2) continue;
    if (std::abs(lines[i].middle() - lines[outer].middle()) < 0.7 * lines[outer].size_px) {
      row.push_back(i);
      number |= all_digits(lines[i], page.words);
      small &= lines[i].size_px <= 1.1 * body_px;
      prose |= lines[i].chars > 80 && lines[i].size_px > 0.95 * body_px;
    } else {
      next_depth = std::min(next_depth, top ? lines[i].box.y0 : page.height_px - lines[i].box.y1);
    }
  }
  const bool far_out = depth(lines[outer]) < 0.1 * page.height_px;
  // A number alone may stand further in.
  const bool near = depth(lines[outer]) < (row.size() == 1 ? 0.2 : 0.17) * page.height_px;
  const int gap = next_depth - depth(lines[outer]);
  const bool apart = next_depth != INT32_MAX && gap > (number ? 0.8 : 1.3) * lines[outer].size_px;
  if (!apart || !small || !((far_out && !prose) || (near && number))) row.clear();
  return row;
}

}  // namespace

std::vector<Place> margin_places(const PageInput& page, const std::vector<TextLine>& lines,
                                 double body_px) {
  std::vector<Place> places(lines.size(), Place::body);
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].quarter_turns % 2 &&
        (lines[i].box.x1 < 0.1 * page.width_px || lines[i].box.x0 > 0.9 * page.width_px))
      places[i] = Place::header;
  for (int i : margin_row(page, lines, body_px, true)) places[i] = Place::header;
  for (int i : margin_row(page, lines, body_px, false)) places[i] = Place::footer;
  return places;
}

}  // namespace docspec

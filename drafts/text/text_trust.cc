#include "drafts/text/text_trust.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace docspec {
namespace {

bool printable(const Word& word) {
  for (size_t at = 0; at < word.text.size();) {
    const uint32_t c = next_code_point(word.text, at);
    if (c < 0x20 || c == 0xFFFD || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return false;
  }
  return true;
}

}  // namespace

bool trust_text_layer(std::span<const Word> words, const InkMap* ink, int width_px, int height_px) {
  if (words.empty()) return false;
  // A bullet or dingbat of a symbol font often has a private-use code: single characters are let
  // pass.
  const auto bad = std::count_if(words.begin(), words.end(), [](const Word& w) {
    return !printable(w) && count_code_points(w.text) > 1;
  });
  if (double(bad) > 0.05 * double(words.size())) return false;
  if (!ink) return true;

  std::vector<Box> boxes;
  for (const Word& word : words) boxes.push_back(word.box);
  InkMap rest = *ink;
  rest.erase(boxes);
  const double page_area = double(width_px) * height_px;
  const double dots_per_point = height_px / 842.0;  // near enough for thresholds on size
  double text_area = 0, unread_area = 0;
  for (const Box& box : boxes) text_area += double(box.area());
  for (const InkMap::Piece& piece : rest.pieces()) {
    // A remaining piece that is as high as one line of text, or a few, is text that the layer
    // lacks.
    const double height_pt = piece.box.height() / dots_per_point;
    const double width_pt = piece.box.width() / dots_per_point;
    if (double(piece.box.area()) > 0.6 * page_area && text_area < 0.03 * page_area) return false;
    if (height_pt >= 5 && height_pt <= 40 && width_pt >= 15 && piece.fill > 0.4 &&
        piece.fill < 0.97)
      unread_area += double(piece.box.area());
  }
  return text_area >= 0.7 * (text_area + unread_area);
}

}  // namespace docspec

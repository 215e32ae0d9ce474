// Where a block's words stand on the page, and where its page side may lack some: ink tells.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/letters/block_letters.h"
#include "core/text/unicode.h"

namespace docspec {

/// Whether there is space for a word of so many letters before token `b`, with ink in it. Without
/// an image, a word that stands there twice is one too many.
bool BlockLetters::has_space(size_t b, size_t letters, bool twice) const {
  const Box* left = b > 0 ? &tokens_[b - 1].box : nullptr;
  const Box* right = b < tokens_.size() ? &tokens_[b].box : nullptr;
  const int em = (left ? left : right)->height();
  int x0 = box_.x0, x1 = box_.x1;  // the column
  for (const PageToken& token : tokens_) {
    if (!token.inside) continue;
    x0 = std::min(x0, token.box.x0 - (box_.empty() ? 5 * em : 0));
    x1 = std::max(x1, token.box.x1 + (box_.empty() ? 5 * em : 0));
  }
  std::vector<Box> spaces;
  if (left && right && tokens_[b - 1].line == tokens_[b].line) {
    spaces.push_back({left->x1, left->y0, right->x0, left->y1});
  } else {
    const int above = left ? left->y1 : box_.y0, below = right ? right->y0 : box_.y1;
    if (left) spaces.push_back({left->x1, left->y0, x1, left->y1});
    if (right) spaces.push_back({x0, right->y0, right->x0, right->y1});
    if (below - above > em / 2) spaces.push_back({x0, above, x1, below});  // whole lines
  }
  return std::any_of(spaces.begin(), spaces.end(), [&](Box space) {
    if (space.width() < std::max(em / 2, em * int(letters) / 5)) return false;
    space = {space.x0 + em / 8, space.y0 + em / 6, space.x1 - em / 8, space.y1 - em / 6};
    return image_ ? has_ink(*image_, space) : !twice;
  });
}

/// Whether a cell may have a word of so many letters before token `b` that the page's words lack:
/// it has no token, or its tokens have ink to their sides.
bool BlockLetters::has_room_in_cell(size_t cell, size_t b, size_t letters) const {
  const Box* left = b > 0 && tokens_[b - 1].cell == cell ? &tokens_[b - 1].box : nullptr;
  const Box* right = b < tokens_.size() && tokens_[b].cell == cell ? &tokens_[b].box : nullptr;
  if (!image_ || !(left || right)) return true;
  if (left && right && tokens_[b - 1].line == tokens_[b].line) return has_space(b, letters, false);
  const auto inked = [&](int x0, int y0, int x1, int y1) {
    return has_ink(*image_, {x0, y0 + (y1 - y0) / 6, x1, y1 - (y1 - y0) / 6});
  };
  const int em = (left ? left : right)->height(), width = std::max(em, em * int(letters) / 3);
  int x0 = (left ? left : right)->x0;  // of the cell's lines
  for (const PageToken& token : tokens_)
    if (token.cell == cell) x0 = std::min(x0, token.box.x0);
  return (left && inked(left->x1 + em / 8, left->y0, left->x1 + width, left->y1)) ||
         (right &&
          inked(right->x0 - std::max(width, 2 * em), right->y0, right->x0 - em / 8, right->y1)) ||
         (left && right && right->y0 - left->y1 > em / 2 &&
          inked(right->x0, left->y1, std::max(left->x1, right->x1), right->y0)) ||
         (left && !right && inked(x0, left->y1, left->x1, left->y1 + em)) ||
         (right && !left && inked(right->x0, right->y0 - em, right->x1, right->y0));
}

/// Whether the page may hold something before its token `b` that its words lack. Of a word that is
/// written twice it may be the other one. At its ends a block may go on elsewhere: in the next
/// column.
bool BlockLetters::has_room(size_t a, size_t b, size_t letters, bool twice) const {
  if (cells_known_) return has_room_in_cell(piece_of(a), b, letters);
  const auto inside = [this](size_t i) { return i < tokens_.size() && tokens_[i].inside; };
  if (b == 0 || !inside(b - 1) || !inside(b)) return true;
  return has_space(b, letters, twice) || (twice && b > 0 && has_space(b - 1, letters, twice)) ||
         (twice && b < tokens_.size() && has_space(b + 1, letters, twice));
}

/// Whether words [a0, a1), for which the page has none before token `b`, may be others: of
/// "with Google with" and "with" either one is the page's.
bool BlockLetters::may_shift(size_t a0, size_t a1, size_t b) const {
  size_t from = a0, to = a1;  // all words here for which the page has none
  for (size_t i = matches_.size(); i-- > 0;)
    if (matches_[i].a1 == from && matches_[i].b0 == b && matches_[i].b1 == b) from = matches_[i].a0;
  for (const WordMatch& match : matches_)
    if (match.a0 == to && match.b0 == b && match.b1 == b) to = match.a1;
  for (size_t k = 0; to + k < words_.size() && b + k < tokens_.size(); ++k) {
    if (words_[from + k].letters != words_[to + k].letters) break;
    if (cells_known_ && tokens_[b + k].cell != piece_of(a0)) break;
    if (has_room(to + k, b + k + 1, words_[from + k].letters.size(), false)) return true;
  }
  for (size_t k = 1; k <= from && k <= b; ++k) {
    if (words_[from - k].letters != words_[to - k].letters) break;
    if (cells_known_ && tokens_[b - k].cell != piece_of(a0)) break;
    if (has_room(from - k, b - k, words_[from - k].letters.size(), false)) return true;
  }
  return false;
}

/// Whether tokens [b0, b1) stand between their neighbours on the page, too.
bool BlockLetters::in_order(size_t b0, size_t b1) const {
  if (!box_.empty()) return true;
  for (size_t b = std::max<size_t>(b0, 1); b < std::min(b1 + 1, tokens_.size()); ++b) {
    const Box &left = tokens_[b - 1].box, &right = tokens_[b].box;
    const int em = std::max(left.height(), right.height());
    const int down = (right.y0 + right.y1 - left.y0 - left.y1) / 2;
    const bool goes_on =
        std::abs(down) < em / 2 && right.x0 > left.x0 && right.x0 < left.x1 + 3 * em;
    const bool next_line = down >= em / 2 && down < 3 * em && right.x0 < left.x1;
    if (!goes_on && !next_line) return false;
  }
  return true;
}

/// Whether ink that is of no token stands a blank to the right or left of `box`, wider than a line
/// of a table.
bool BlockLetters::word_beside(const Box& box, bool right) const {
  const int em = box.height(), y0 = box.y0 + em / 6, y1 = box.y1 - em / 4;
  const auto at = [&](int near, int far) {
    return right ? Box{box.x1 + near, y0, box.x1 + far, y1}
                 : Box{box.x0 - far, y0, box.x0 - near, y1};
  };
  return image_ && has_ink(*image_, at(em / 8, em / 2)) && has_ink(*image_, at(em / 2, em)) &&
         std::none_of(tokens_.begin(), tokens_.end(), [&](const PageToken& token) {
           return !intersect(token.box, at(em / 8, em)).empty();
         });
}

/// Whether the page's reading is the model's without its first or last letters, and there is ink in
/// their place or the page's word is parted there: the source lacks the rest.
bool BlockLetters::is_part(const Difference& difference, size_t b0, size_t b1) const {
  std::u32string model = fold(difference.model), page;
  std::erase(model, U' ');
  for (size_t b = b0; b < b1; ++b) page += tokens_[b].aligned.key;
  const PageToken &first = tokens_[b0], &last = tokens_[b1 - 1];
  const std::u32string_view begin(page.data(), page.size() - (page.back() == U'-'));
  if (last.aligned.line_end && begin.size() < page.size() && model.size() > page.size() &&
      model.starts_with(begin))
    return true;
  if (model.size() <= page.size()) return false;
  const bool parted_before =
      b0 > 0 && difference.a1 == difference.a0 + 1 && tokens_[b0 - 1].line != first.line &&
      (tokens_[b0 - 1].text.ends_with('-') || word_beside(tokens_[b0 - 1].box, true));
  const bool sign = std::none_of(first.text.begin(), first.text.end(),
                                 [](char c) { return std::isalpha(uint8_t(c)) != 0; });
  if (model.ends_with(page) && (parted_before || (sign && 2 * page.size() < model.size())))
    return true;
  if (!image_) return false;
  const int em = last.box.height();
  const int y0 = last.box.y0 + em / 6, y1 = last.box.y1 - em / 4;
  const int from = first.box.x0, to = last.box.x1;
  return (model.starts_with(page) && (has_ink(*image_, {to + em / 16, y0, to + em / 8 + 1, y1}) ||
                                      word_beside(last.box, true))) ||
         (model.ends_with(page) && (has_ink(*image_, {from - em / 8 - 1, y0, from - em / 16, y1}) ||
                                    word_beside(first.box, false)));
}

/// Whether tokens [b0, b1) are the block's: one is inside, or a word that it has just so stands
/// next to them on their line, and more of them lead from there to one inside.
bool BlockLetters::goes_on(size_t a0, size_t a1, size_t b0, size_t b1) const {
  for (size_t b = b0; b < b1; ++b)
    if (tokens_[b].inside) return true;
  const size_t first = tokens_[b0].line, last = tokens_[b1 - 1].line;
  bool near = false;
  for (size_t i = matches_.size(); i-- > 0;) {  // to the left
    const WordMatch& match = matches_[i];
    if (match.b1 != b0 || match.a1 != a0 || !match.equal()) continue;
    near |= tokens_[match.b1 - 1].line == first;
    if (!near) break;
    b0 = match.b0;
    a0 = match.a0;
    if (tokens_[b0].inside) return true;
  }
  near = false;
  for (const WordMatch& match : matches_) {
    if (match.b0 != b1 || match.a0 != a1 || !match.equal()) continue;
    near |= tokens_[match.b0].line == last;
    if (!near) break;
    b1 = match.b1;
    a1 = match.a1;
    if (tokens_[b1 - 1].inside) return true;
  }
  return false;
}

/// Whether tokens [b0, b1) stand on the line of a neighbour and are as high as the block's words.
bool BlockLetters::in_line(size_t b0, size_t b1) const {
  int height = 0;
  for (const PageToken& token : tokens_) height = std::max(height, token.box.height());
  for (size_t b = b0; b < b1; ++b)
    if (2 * tokens_[b].box.height() < height) return false;
  return (b0 > 0 && tokens_[b0 - 1].line == tokens_[b0].line) ||
         (b1 < tokens_.size() && tokens_[b1].line == tokens_[b1 - 1].line);
}

/// Whether ink stands between tokens [b0, b1) and their neighbours: the source lacks words there.
bool BlockLetters::lacks_words(size_t b0, size_t b1) const {
  if (!image_ || !layer_) return false;
  if (tokens_[b1 - 1].inside && (b1 >= tokens_.size() || !tokens_[b1].inside) &&
      word_beside(tokens_[b1 - 1].box, true))
    return true;
  for (size_t b = std::max<size_t>(b0, 1); b < std::min(b1 + 1, tokens_.size()); ++b) {
    const PageToken &left = tokens_[b - 1], &right = tokens_[b];
    if (table_ && (left.cell != right.cell || left.line != right.line)) continue;
    if (left.inside && right.inside && has_space(b, 1, false)) return true;
  }
  return false;
}

/// Whether tokens [b0, b1) are words, more than marks, of the line on which the words of code
/// before `a` end.
bool BlockLetters::is_word_of_line(size_t a, size_t b0, size_t b1) const {
  if (a == 0 || b0 == 0) return false;
  const bool after = std::any_of(matches_.begin(), matches_.end(), [&](const WordMatch& match) {
    return match.equal() && match.a1 == a && match.b1 == b0;
  });
  for (size_t b = b0; b < b1; ++b) {
    const std::u32string& key = tokens_[b].aligned.key;
    const auto letters =
        std::count_if(key.begin(), key.end(), [](char32_t c) { return is_word(int32_t(c)); });
    if (letters < 2 || tokens_[b].line != tokens_[b0 - 1].line) return false;
  }
  return after;
}

}  // namespace docspec

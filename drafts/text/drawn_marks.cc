#include "drafts/text/drawn_marks.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/page/ink_pieces.h"

namespace docspec {
namespace {

constexpr double kLeastMarkGapEm = 0.8;  // white left of a word that may follow a mark
constexpr double kReachEm = 2.5;         // how far left of it a mark may begin

constexpr double kLargestPt = 40;      // of text that items and fields are set in
constexpr size_t kMostWords = 20'000;  // of a page; a damaged file may have any number in one row

/// A mark that was found left of a word.
struct DrawnMark {
  size_t word = 0;
  Box box;  // pixels of the image
  std::string text;
  double em = 0;
  bool icon = false;  // a small picture, which is a mark where others are like it
};

/// Whether ink is a dot at the middle of the letters of `word`.
bool is_disc(const InkPieces::Blob& piece, const Box& word, double em) {
  const double middle = (piece.box.y0 + piece.box.y1) / 2.0;
  return is_dot(piece, em) && middle > word.y0 + 0.25 * word.height() &&
         middle < word.y0 + 0.8 * word.height();
}

/// Whether ink beside a word may be a small picture that marks its item.
bool is_icon(const Box& ink, const Box& word, double em) {
  constexpr double kLeast = 0.35, kMost = 1.1, kLevel = 0.3;  // em
  const auto [low, high] = std::minmax({ink.width(), ink.height()});
  return low >= kLeast * em && high <= kMost * em && low * 10 >= high * 7 &&
         std::abs(ink.y0 + ink.y1 - word.y0 - word.y1) < 2 * kLevel * em;
}

/// What a drawn square is; empty if it is none.
std::string box_sign(const InkPieces& pieces, const Box& box, double em) {
  const int width = box.width(), height = box.height(), edge = std::max(2, int(0.12 * em));
  if (std::min(width, height) < 0.55 * em || std::max(width, height) > 1.4 * em ||
      std::min(width, height) * 10 < std::max(width, height) * 8)
    return {};
  const auto drawn = [&](const Box& side) {
    const bool across = side.width() > side.height();
    int marked = 0;
    const int from = across ? side.x0 : side.y0, to = across ? side.x1 : side.y1;
    for (int k = from; k < to; ++k)
      marked += pieces.share(across ? Box{k, side.y0, k + 1, side.y1}
                                    : Box{side.x0, k, side.x1, k + 1}) > 0;
    return marked * 10 >= (to - from) * 9;
  };
  if (!drawn({box.x0, box.y0, box.x1, box.y0 + edge}) ||
      !drawn({box.x0, box.y1 - edge, box.x1, box.y1}) ||
      !drawn({box.x0, box.y0, box.x0 + edge, box.y1}) ||
      !drawn({box.x1 - edge, box.y0, box.x1, box.y1}))
    return {};
  const double inside = pieces.share(
      {box.x0 + width / 4, box.y0 + height / 4, box.x1 - width / 4, box.y1 - height / 4});
  constexpr double kEmpty = 0.03, kTicked = 0.1, kFilled = 0.9;
  if (inside < kEmpty) return "☐";
  return inside > kTicked && inside < kFilled ? "☒" : "";
}

/// White left of each upright word, in pixels; 0 where none is left of it, as at the page's edge.
std::vector<int> gaps_at_left(const std::vector<Word>& words) {
  std::vector<size_t> by_height(words.size());
  std::iota(by_height.begin(), by_height.end(), size_t(0));
  std::sort(by_height.begin(), by_height.end(),
            [&](size_t a, size_t b) { return words[a].box.y0 < words[b].box.y0; });
  std::vector<int> gaps;
  for (const Word& word : words) gaps.push_back(word.box.x0);
  for (size_t i = 0; i < by_height.size(); ++i)
    for (size_t j = i + 1; j < by_height.size(); ++j) {
      const size_t upper = by_height[i], lower = by_height[j];
      const Box &a = words[upper].box, &b = words[lower].box;
      if (b.y0 >= a.y1) break;
      const auto beside = [&](size_t right, const Box& left, const Box& own) {
        if (left.x0 < own.x0) gaps[right] = std::min(gaps[right], std::max(0, own.x0 - left.x1));
      };
      beside(lower, a, b);
      beside(upper, b, a);
    }
  return gaps;
}

std::optional<DrawnMark> mark_beside(const Word& word, int gap, const PageImage& image,
                                     double scale) {
  const double em = word.font_size_pt * image.dpi() / 72;
  const double room = gap / scale;
  if (word.font_size_pt <= 0 || word.font_size_pt > kLargestPt || word.quarter_turns != 0 ||
      room < kLeastMarkGapEm * em || word.box.height() > 4 * em * scale)
    return {};
  const auto px = [&](int v) { return int(v / scale); };
  const Box own{px(word.box.x0), px(word.box.y0), px(word.box.x1), px(word.box.y1)};
  const int reach = int(std::min(kReachEm * em, room)), over = int(0.4 * em);
  const Box part = intersect({own.x0 - reach, own.y0 - over, own.x0, own.y1 + over},
                             {0, 0, image.width_px(), image.height_px()});
  if (part.width() < 3 || part.height() < 3) return {};
  const InkPieces pieces(image, part);
  std::vector<InkPieces::Blob> found = pieces.whole();
  if (found.empty()) return {};
  Box all;
  for (const InkPieces::Blob& piece : found) all = unite(all, piece.box);
  const auto largest =
      std::max_element(found.begin(), found.end(),
                       [](const auto& a, const auto& b) { return a.box.area() < b.box.area(); });
  const bool alone = std::all_of(found.begin(), found.end(), [&](const auto& piece) {
    return intersect(piece.box, largest->box) == piece.box;
  });
  if (alone && is_disc(*largest, own, em)) return DrawnMark{0, largest->box, "•", em};
  const std::string sign = alone ? box_sign(pieces, largest->box, em) : "";
  if (!sign.empty()) return DrawnMark{0, largest->box, sign, em};
  return is_icon(all, own, em) ? std::optional(DrawnMark{0, all, "•", em, true}) : std::nullopt;
}

/// Whether two icons more are like a mark, in the same place of their lines.
bool has_likes(const DrawnMark& mark, const std::vector<DrawnMark>& marks) {
  constexpr std::ptrdiff_t kLeast = 3;
  constexpr double kAlike = 0.1;  // em
  const auto near = [&](int a, int b) { return std::abs(a - b) <= 1 + kAlike * mark.em; };
  return std::count_if(marks.begin(), marks.end(), [&](const DrawnMark& other) {
           return other.icon && near(other.box.x0, mark.box.x0) &&
                  near(other.box.width(), mark.box.width()) &&
                  near(other.box.height(), mark.box.height()) && near(int(other.em), int(mark.em));
         }) >= kLeast;
}

/// Whether the row below a word begins where it does, with as much white left of it: an item's.
bool hangs(const std::vector<Word>& words, const std::vector<int>& gaps, const DrawnMark& mark,
           double scale) {
  const Box& own = words[mark.word].box;
  const double em = mark.em * scale;
  for (size_t i = 0; i < words.size(); ++i) {
    const Box& box = words[i].box;
    if (std::abs(box.x0 - own.x0) < 0.2 * em && box.y0 > own.y0 + 0.8 * em &&
        box.y0 < own.y0 + 1.8 * em && gaps[i] >= kLeastMarkGapEm * em)
      return true;
  }
  return false;
}

}  // namespace

bool is_dot(const InkPieces::Blob& piece, double em) {
  const auto [low, high] = std::minmax({piece.box.width(), piece.box.height()});
  return high <= 0.55 * em && low >= 0.15 * em && low * 10 >= high * 7 &&
         piece.pixels * 10 >= low * high * 6;
}

void add_drawn_marks(std::vector<Word>& words, const PageImage& image, double scale) {
  if (words.size() > kMostWords) return;
  std::vector<DrawnMark> marks;
  const std::vector<int> gaps = gaps_at_left(words);
  for (size_t i = 0; i < words.size(); ++i)
    if (auto mark = mark_beside(words[i], gaps[i], image, scale)) {
      mark->word = i;
      marks.push_back(*mark);
    }
  const auto in_line = [](const DrawnMark& a, const DrawnMark& b) {
    return &a != &b && a.text == b.text && std::abs(a.box.x0 - b.box.x0) < 0.2 * a.em &&
           a.box.y0 != b.box.y0;
  };
  std::vector<Word> out;
  auto mark = marks.begin();
  for (size_t i = 0; i < words.size(); ++i) {
    for (; mark != marks.end() && mark->word == i; ++mark) {
      const bool lone = std::none_of(marks.begin(), marks.end(),
                                     [&](const DrawnMark& other) { return in_line(*mark, other); });
      if (mark->icon && !has_likes(*mark, marks)) continue;
      if (mark->text == "•" && lone && !hangs(words, gaps, *mark, scale)) continue;
      Word sign = words[i];
      sign.text = mark->text;
      sign.link.clear();
      sign.space_after = true;
      sign.box.x0 = int(mark->box.x0 * scale);
      sign.box.x1 = int(mark->box.x1 * scale) + 1;
      out.push_back(std::move(sign));
    }
    out.push_back(std::move(words[i]));
  }
  words = std::move(out);
}

}  // namespace docspec

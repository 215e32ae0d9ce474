#include "drafts/ocr/formulas/letter_ink.h"

#include <algorithm>
#include <cmath>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// Usual width of a character's ink in ems.
double usual_width(uint32_t c) {
  if (is_cjk(c)) return 0.9;
  if (is_one_of(c, U"il.,'|:;!")) return 0.15;
  if (is_one_of(c, U"jftr1I()[]{}/")) return 0.3;
  if (is_one_of(c, U"mwMW")) return 0.8;
  if ((c >= 'A' && c <= 'Z') || c >= 0x2190) return 0.65;
  return 0.45;
}

/// Whether a character is written in several pieces that lie next to each other.
bool has_parts(uint32_t c) {
  return is_cjk(c) || is_one_of(c, U"…⋯\"“”%‰‖∥");
}

double middle(const Box& box) {
  return (box.x0 + box.x1) / 2.0;
}

/// The pieces of a line from left to right: dots and strokes joined with what they stand over.
std::vector<Box> line_pieces(const Box& line, std::span<const Box> pieces, double em) {
  constexpr double kAside = 0.6, kAbove = 0.1, kTallest = 2.2, kSmall = 0.3, kSpeck = 0.06;  // ems
  std::vector<Box> own;
  for (const Box& piece : pieces) {
    const double y = (piece.y0 + piece.y1) / 2.0;
    const bool rule = piece.width() > 2 * em && piece.height() < kSmall / 2 * em;
    if (middle(piece) > line.x0 - kAside * em && middle(piece) < line.x1 + kAside * em &&
        y > line.y0 - kAbove * em && y < line.y1 + kAbove * em && piece.height() < kTallest * em &&
        std::max(piece.width(), piece.height()) > kSpeck * em && !rule)
      own.push_back(piece);
  }
  std::sort(own.begin(), own.end(),
            [](const Box& a, const Box& b) { return middle(a) < middle(b); });
  std::vector<Box> joined;
  for (const Box& piece : own) {
    const auto over = [&](const Box& other) {
      const int common = std::min(piece.x1, other.x1) - std::max(piece.x0, other.x0);
      const int apart = std::max(piece.y0, other.y0) - std::min(piece.y1, other.y1);
      return common * 2 > std::min(piece.width(), other.width()) && apart < kSmall * em &&
             std::min(piece.height(), other.height()) < kSmall * em;
    };
    const auto home = std::find_if(joined.rbegin(), joined.rend(), over);
    if (home == joined.rend())
      joined.push_back(piece);
    else
      *home = unite(*home, piece);
  }
  return joined;
}

/// Brings the characters of a line and its pieces together at the least cost.
class Alignment {
 public:
  Alignment(std::vector<LetterInk>& letters, std::vector<double> places, std::vector<Box> pieces,
            double em)
      : letters_(letters), places_(std::move(places)), pieces_(std::move(pieces)), em_(em) {}

  void run() {
    const size_t rows = letters_.size() + 1, columns = pieces_.size() + 1;
    best_.assign(rows * columns, {});
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j) {
        if (i == 0 && j == 0) continue;
        at(i, j).cost = 1e18;
        if (j > 0) take(i, j, 0, 1, is_speck(pieces_[j - 1]) ? kSpeckUnread : kUnread);
        if (i > 0) take(i, j, 1, 0, kNoInk);
        for (size_t k = 1; k <= std::min(i, kMostTouching); ++k)
          if (j > 0) take(i, j, k, 1, cost(i - k, i, pieces_[j - 1]) + kTouching * double(k - 1));
        if (i == 0) continue;
        const bool parts = has_parts(letters_[i - 1].letter);
        Box ink = j > 0 ? pieces_[j - 1] : Box{};
        for (size_t k = 2; k <= std::min(j, parts ? kMostParts : 2); ++k) {
          ink = unite(ink, pieces_[j - k]);
          take(i, j, 1, k, cost(i - 1, i, ink) + (parts ? 0 : kBroken));
        }
      }
    for (size_t i = letters_.size(), j = pieces_.size(); i > 0 || j > 0;) {
      const Step& step = at(i, j);
      Box ink;
      for (size_t k = 0; k < step.pieces; ++k) ink = unite(ink, pieces_[j - 1 - k]);
      for (size_t k = 0; k < step.letters && step.pieces > 0; ++k) {
        Box part = ink;  // of touching letters
        part.x0 = ink.x1 - int(ink.width() * (k + 1) / step.letters);
        part.x1 = ink.x1 - int(ink.width() * k / step.letters);
        letters_[i - 1 - k].ink = part;
        letters_[i - 1 - k].own = step.letters == 1;
      }
      i -= step.letters, j -= step.pieces;
    }
  }

 private:
  struct Step {
    double cost = 0;
    size_t letters = 0, pieces = 0;
  };
  static constexpr double kUnread = 0.45, kSpeckUnread = 0.08, kNoInk = 0.6, kTouching = 0.3,
                          kBroken = 0.35;
  static constexpr size_t kMostTouching = 4, kMostParts = 8;

  Step& at(size_t i, size_t j) { return best_[i * (pieces_.size() + 1) + j]; }
  void take(size_t i, size_t j, size_t letters, size_t pieces, double more) {
    const double cost = at(i - letters, j - pieces).cost + more;
    if (cost < at(i, j).cost) at(i, j) = {cost, letters, pieces};
  }
  bool is_speck(const Box& piece) const {
    return std::max(piece.width(), piece.height()) < 0.14 * em_;
  }
  /// Of characters [from, to) for a piece, in ems: how far they are from it, and half of what they
  /// are wider or narrower.
  double cost(size_t from, size_t to, const Box& ink) const {
    double place = 0, width = 0;
    for (size_t i = from; i < to; ++i) {
      place += places_[i] / double(to - from);
      width += usual_width(letters_[i].letter);
    }
    return std::abs(middle(ink) - place) / em_ + std::abs(ink.width() / em_ - width) / 2;
  }

  std::vector<LetterInk>& letters_;
  std::vector<double> places_;
  std::vector<Box> pieces_;
  double em_;
  std::vector<Step> best_;  // [letters + 1, pieces + 1]
};

}  // namespace

std::vector<LetterInk> letter_inks(std::span<const Word> words, std::span<const Box> pieces,
                                   double em) {
  std::vector<LetterInk> letters;
  std::vector<double> places;
  Box line;
  for (size_t w = 0; w < words.size(); ++w) {
    const Word& word = words[w];
    line = unite(line, word.box);
    const size_t count = count_code_points(word.text);
    for (size_t at = 0, k = 0; at < word.text.size(); ++k) {
      const uint32_t c = next_code_point(word.text, at);
      Box part = word.box;
      part.x0 = word.box.x0 + int(word.box.width() * k / count);
      part.x1 = word.box.x0 + int(word.box.width() * (k + 1) / count);
      places.push_back(word.places.size() == count ? word.places[k] : middle(part));
      letters.push_back({c, w, part, false});
    }
  }
  Alignment(letters, std::move(places), line_pieces(line, pieces, em), em).run();
  return letters;
}

}  // namespace docspec

#include "drafts/ocr/missed_ink.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/median.h"
#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

constexpr int kInkLevel = 160;

/// Boxes around the connected pieces of dark ink whose sides are both at most `most` pixels and one
/// of them at least `least`.
std::vector<Box> small_pieces(const PageImage& image, double least, double most) {
  const PixPtr dark = dark_pixels(image, kInkLevel);
  std::vector<Box> pieces = dark ? boxes_of_pieces(dark.get()) : std::vector<Box>();
  std::erase_if(pieces, [&](const Box& piece) {
    const int side = std::max(piece.width(), piece.height());
    return side < least || side > most;
  });
  return pieces;
}

Box grown(const Box& box, double x, double y) {
  return {int(box.x0 - x), int(box.y0 - y), int(box.x1 + x), int(box.y1 + y)};
}

/// Pieces near each other in one row as one box.
std::vector<Box> joined(std::vector<Box> pieces, double gap) {
  std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  std::vector<Box> out;
  for (const Box& piece : pieces) {
    const auto home = std::find_if(out.begin(), out.end(), [&](const Box& other) {
      return !intersect(grown(other, gap, 0), piece).empty();
    });
    if (home == out.end())
      out.push_back(piece);
    else
      *home = unite(*home, piece);
  }
  return out;
}

double ink_in(const PageImage& image, const Box& box) {
  double dark = 0;
  const Box seen = intersect(box, {0, 0, image.width_px(), image.height_px()});
  for (int y = seen.y0; y < seen.y1; ++y)
    for (int x = seen.x0; x < seen.x1; ++x) dark += image.row(y)[3 * x + 1] < kInkLevel;
  return dark;
}

/// Whether the ink of a piece has light paper around it: the dark inside of a white "6" has not.
bool alone(const PageImage& image, const Box& piece, double margin) {
  return ink_in(image, grown(piece, margin, margin)) < 1.1 * ink_in(image, piece);
}

bool beside(const Box& line, double y) {
  return line.width() > line.height() && y > line.y0 && y < line.y1;
}

/// Whether a piece is a triangle that points to the right: full at its left, half empty at its
/// right.
bool is_triangle(const PageImage& image, const Box& piece) {
  const int third = piece.width() / 3;
  const Box left{piece.x0, piece.y0, piece.x0 + third, piece.y1};
  const Box right{piece.x1 - third, piece.y0, piece.x1, piece.y1};
  const auto fill = [&](const Box& box) { return ink_in(image, box) / double(box.area()); };
  return third > 0 && fill(left) > 0.7 && fill(right) < 0.45 && fill(piece) > 0.4;
}

/// "•", "-" or nothing: by the shape of a piece in front of a line.
std::string sign_of(const PageImage& image, const Box& piece, const Box& line) {
  const double em = line.height(), w = piece.width() / em, h = piece.height() / em;
  const double middle = ((piece.y0 + piece.y1) / 2.0 - line.y0) / em;
  if (middle < 0.3 || middle > 0.75) return "";
  if (h < 0.15 && w > 0.18 && w < 0.8 && w > 1.8 * h) return "-";
  const bool square = w < 1.3 * h && h < 1.3 * w && h > 0.15 && h < 0.65;
  const bool full = ink_in(image, piece) > 0.65 * double(piece.area());
  return square && (full || is_triangle(image, piece)) ? "•" : "";
}

/// Whether a piece is a small circle: light inside, dark all around.
bool is_ring(const PageImage& image, const Box& piece, const Box& line) {
  const double em = line.height();
  const Box inside = grown(piece, -piece.width() / 3.0, -piece.height() / 3.0);
  const auto dark_side = [&](const Box& side) { return ink_in(image, side) > 0; };
  const int x = (piece.x0 + piece.x1) / 2, y = (piece.y0 + piece.y1) / 2;
  return std::abs(piece.width() - piece.height()) <= 0.15 * piece.height() + 1 &&
         piece.height() > 0.2 * em && piece.height() < 0.55 * em && ink_in(image, inside) == 0 &&
         dark_side({piece.x0, y, inside.x0, y + 1}) && dark_side({inside.x1, y, piece.x1, y + 1}) &&
         dark_side({x, piece.y0, x + 1, inside.y0}) && dark_side({x, inside.y1, x + 1, piece.y1});
}

/// Dots and circles that open a line and stand well apart from the rest of it: reading passes over
/// them.
std::vector<MissedInk::Sign> opening_signs(const PageImage& image, const std::vector<Box>& pieces,
                                           std::span<const Box> lines) {
  constexpr double kApart = 0.4, kRingApart = 0.6, kReach = 0.6, kText = 2,
                   kMargin = 0.2;  // of the line's height
  std::vector<MissedInk::Sign> signs;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Box& line = lines[i];
    const double em = line.height();
    if (line.width() < kText * em) continue;
    const Box* first = nullptr;
    int next = line.x1;  // where the rest begins
    for (const Box& piece : pieces) {
      if (!beside(line, (piece.y0 + piece.y1) / 2.0) || piece.x0 < line.x0 - kReach * em ||
          piece.x0 >= line.x1)
        continue;
      if (!first || piece.x0 < first->x0) {
        if (first) next = std::min(next, first->x0);
        first = &piece;
      } else {
        next = std::min(next, piece.x0);
      }
    }
    if (!first || first->x0 > line.x0 + kReach * em || next == line.x1) continue;
    const double gap = (next - first->x1) / em;
    if ((gap > kApart && sign_of(image, *first, line) == "•" &&
         alone(image, *first, kMargin * em)) ||
        (gap > kRingApart && is_ring(image, *first, line)))
      signs.push_back({i, {"•", *first}});
  }
  return signs;
}

/// The line before which a piece stands, or the number of lines.
size_t line_behind(const Box& piece, std::span<const Box> lines) {
  constexpr double kNear = 0.3, kFar = 3.5, kText = 1.5;  // of the line's height
  const double y = (piece.y0 + piece.y1) / 2.0;
  size_t nearest = lines.size();
  for (size_t i = 0; i < lines.size(); ++i) {
    const double gap = lines[i].x0 - piece.x1, em = lines[i].height();
    if (beside(lines[i], y) && lines[i].width() > kText * em && gap > kNear * em &&
        gap < kFar * em && (nearest == lines.size() || lines[i].x0 < lines[nearest].x0))
      nearest = i;
  }
  return nearest;
}

bool alike(const Box& a, const Box& b) {
  const double size = std::max(a.width(), a.height());
  return std::abs(a.x0 - b.x0) < size && std::abs(a.width() - b.width()) < 0.3 * size &&
         std::abs(a.height() - b.height()) < 0.3 * size;
}

/// Leaves signs that another one is like: a list has two items, dirt is where it happens to be.
void keep_lists(std::vector<MissedInk::Sign>& signs) {
  const std::vector<MissedInk::Sign> all = signs;
  std::erase_if(signs, [&](const MissedInk::Sign& sign) {
    return std::none_of(all.begin(), all.end(), [&](const MissedInk::Sign& other) {
      return other.line != sign.line && other.word.text == sign.word.text &&
             alike(other.word.box, sign.word.box);
    });
  });
}

}  // namespace

MissedInk find_missed_ink(const PageImage& image, std::span<const Box> lines) {
  constexpr double kSpeck = 0.12, kLetter = 1.2, kLowest = 0.45, kGap = 0.3, kWidest = 2,
                   kLight = 0.15;
  constexpr double kOneLetter = 1.5;  // widest box, of its height, that may hold a sign alone
  constexpr size_t kMost = 2000;
  MissedInk missed;
  if (lines.empty()) return missed;
  std::vector<int> heights;
  for (const Box& line : lines) heights.push_back(std::min(line.width(), line.height()));
  const double usual = median(std::move(heights));
  std::vector<Box> pieces = small_pieces(image, kSpeck * usual, 2 * kLetter * usual);
  missed.signs = opening_signs(image, pieces, lines);
  const auto covered = [&](const Box& piece, bool by_any) {
    return std::any_of(lines.begin(), lines.end(), [&](const Box& line) {
      const double em = line.height();
      return (by_any || line.width() > kOneLetter * em) &&
             !intersect(grown(line, 0.25 * em, 0.1 * em), piece).empty();
    });
  };
  std::erase_if(pieces, [&](const Box& piece) { return covered(piece, false); });
  if (pieces.size() > kMost) pieces.clear();  // a photograph
  for (const Box& piece : joined(std::move(pieces), kGap * usual)) {
    if (!alone(image, piece, kLight * usual)) continue;
    const size_t behind = line_behind(piece, lines);
    std::string sign = behind < lines.size() ? sign_of(image, piece, lines[behind]) : "";
    if (behind < lines.size() && is_ring(image, piece, lines[behind])) sign = "•";
    if (!sign.empty()) {
      missed.signs.push_back({behind, {sign, piece}});
      continue;
    }
    if (covered(piece, true)) continue;
    const double y = (piece.y0 + piece.y1) / 2.0;
    const auto in_row = std::count_if(lines.begin(), lines.end(), [&](const Box& line) {
      return beside(line, y) && piece.height() > kLowest * line.height() &&
             piece.height() < kLetter * line.height() && piece.width() < kWidest * line.height();
    });
    if (in_row >= 2) missed.letters.push_back(piece);
  }
  keep_lists(missed.signs);
  return missed;
}

}  // namespace docspec

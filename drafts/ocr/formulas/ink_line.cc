#include "drafts/ocr/formulas/ink_line.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/base/median.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Level = InkLetter::Level;

constexpr size_t kFew = 4;
constexpr double kSmaller = 0.86;  // an index beside its line

/// Heights of letters, in ems of usual fonts.
constexpr double kSmallLetter = 0.45, kCapital = 0.68, kDepth = 0.2;

/// How far a letter reaches above and below its base line, ems; nothing of signs and of letters
/// whose ink differs from font to font.
struct Reach {
  double up = 0, down = 0;
};
std::optional<Reach> reach_of(uint32_t c) {
  if (is_one_of(c, U"acemnorsuvwxzαεικνοπστυω")) return Reach{kSmallLetter, 0};
  if (is_one_of(c, U"gpqyμηγχρςφ")) return Reach{kSmallLetter, kDepth};
  if (is_one_of(c, U"jβψξζϕ")) return Reach{kCapital, kDepth};
  if (c == 'f') return Reach{kCapital, kDepth / 2};  // its foot is lower in italics
  if (is_one_of(c, U"it")) return Reach{0.64, 0};
  if ((c >= 'A' && c <= 'Z' && c != 'Q') || is_digit(c) || is_one_of(c, U"bdhklδθλΓΔΘΛΞΠΣΦΨΩ"))
    return Reach{kCapital, 0};
  return std::nullopt;
}

/// Letters that PP-OCR reads with their place, "²", as letters.
uint32_t without_raising(uint32_t c) {
  return counterpart(c, U"⁰¹²³⁴⁵⁶⁷⁸⁹ⁿⁱ⁺⁻", U"0123456789ni+-");
}
uint32_t without_lowering(uint32_t c) {
  return counterpart(c, U"₀₁₂₃₄₅₆₇₈₉", U"0123456789");
}

/// The code point that formulas have for a sign.
uint32_t usual_sign(uint32_t c) {
  return counterpart(c, U"\u00B5\u2206\u2126∶", U"μΔΩ:");
}

/// Letters that look alike in both cases tell no size.
bool has_two_sizes(uint32_t c) {
  return is_one_of(c, U"cosuvwxzCOSUVWXZ0ΣΠ");
}

/// Of a letter's ink, without the gray at its edges.
double height_of(const InkLetter& one) {
  return one.read.ink.height() - 1;
}

/// Where a letter of a size would have its base line.
double base_of(const InkLetter& one, double size) {
  const auto reach = reach_of(one.letter);
  return one.read.ink.y1 - (reach ? reach->down * size : 0);
}

}  // namespace

InkLine::InkLine(const std::vector<LetterInk>& inks, double em) : em_(em) {
  for (const LetterInk& ink : inks) letters_.push_back({ink, usual_sign(ink.letter)});
  find_size();
}

void InkLine::settle(double usual) {
  constexpr double kSame = 0.12;  // lines of one size were measured so far apart
  if (!sized_ || std::abs(em_ - usual) < kSame * usual) em_ = usual;
  for (InkLetter& one : letters_) mend_operator(one);
  find_base();
  find_levels();
}

/// Whether two letters, the second right of the first, have no blank between them.
bool InkLine::same_word(size_t a, size_t b) const {
  constexpr double kBlank = 0.15;
  if (a > b) std::swap(a, b);
  return b < letters_.size() &&
         (letters_[a].read.word == letters_[b].read.word ||
          (b == a + 1 && letters_[b].read.ink.x0 - letters_[a].read.ink.x1 < kBlank * em_));
}

/// The size of fonts whose letters are as high as its own: the middle one, which no index has.
void InkLine::find_size() {
  std::vector<double> sizes;
  for (const bool all : {false, true}) {
    for (const InkLetter& one : letters_)
      if (const auto reach = reach_of(one.letter);
          reach && one.read.own && (all || !has_two_sizes(one.letter)))
        sizes.push_back(height_of(one) / (reach->up + reach->down));
    if (all || !sizes.empty()) break;
  }
  sized_ = !sizes.empty() && (sizes.size() > 1 || letters_.size() < kFew);
  if (sizes.empty()) return;
  const auto upper = sizes.begin() + std::ptrdiff_t(sizes.size() * 3 / 5);
  std::nth_element(sizes.begin(), upper, sizes.end());
  em_ = *upper;
}

/// Sums and products are read as letters.
void InkLine::mend_operator(InkLetter& one) const {
  constexpr double kTall = 0.95;
  const bool tall = one.read.own && height_of(one) > kTall * em_;
  if (is_one_of(one.letter, U"Σ∑")) one.letter = tall ? 0x2211 : 0x3A3;
  if (is_one_of(one.letter, U"Π∏")) one.letter = tall ? 0x220F : 0x3A0;
}

/// A straight line below the letters of the line's size.
void InkLine::find_base() {
  std::vector<std::pair<double, double>> points;
  for (const InkLetter& one : letters_)
    if (const auto reach = reach_of(one.letter);
        reach && one.read.own && height_of(one) > kSmaller * em_ * (reach->up + reach->down))
      points.emplace_back((one.read.ink.x0 + one.read.ink.x1) / 2.0, base_of(one, em_));
  if (points.empty()) {
    Box line;
    for (const InkLetter& one : letters_) line = unite(line, one.read.ink);
    base_ = line.y1;
    return;
  }
  for (const double slack : {0.2, 0.1}) {
    std::vector<double> heights;
    for (const auto& [x, y] : points) heights.push_back(y - slope_ * x);
    base_ = median(std::move(heights));
    std::erase_if(points, [&](const auto& point) {
      return std::abs(point.second - slope_ * point.first - base_) > slack * em_;
    });
    fit(points);
  }
}

/// Least squares, where the points reach far enough to show a slope.
void InkLine::fit(const std::vector<std::pair<double, double>>& points) {
  constexpr double kFar = 8;  // ems
  double x = 0, y = 0, xx = 0, xy = 0, left = 1e9, right = -1e9;
  for (const auto& [px, py] : points) {
    x += px / double(points.size()), y += py / double(points.size());
    left = std::min(left, px), right = std::max(right, px);
  }
  if (points.size() < kFew || right - left < kFar * em_) return;
  for (const auto& [px, py] : points) xx += (px - x) * (px - x), xy += (px - x) * (py - y);
  slope_ = xy / xx;
  base_ = y - slope_ * x;
}

void InkLine::find_levels() {
  for (InkLetter& one : letters_) {
    if (const uint32_t letter = without_raising(one.letter); letter != one.letter)
      one.letter = letter, one.level = Level::raised;
    else if (const uint32_t low = without_lowering(one.letter); low != one.letter)
      one.letter = low, one.level = Level::lowered;
    else if (one.read.own)
      one.level = level_of(one);
  }
  for (size_t k = 0; k < letters_.size(); ++k) join_signs(k);
  if (!letters_.empty()) letters_.front().level = Level::line;
  for (size_t k = 1; k + 1 < letters_.size(); ++k)
    if (within_word(k)) letters_[k].level = Level::line;
  for (InkLetter& one : letters_) mend_case(one);
  for (size_t k = 1; k < letters_.size(); ++k) find_prime(k);
}

InkLetter::Level InkLine::level_of(const InkLetter& one) const {
  const auto reach = reach_of(one.letter);
  if (!reach) return Level::line;
  const double scale = height_of(one) / em_ / (reach->up + reach->down);
  const double off = (base_at(one.read.ink) - base_of(one, std::min(1.0, scale) * em_)) / em_;
  const bool small = scale < 0.86;
  if (off > (small ? 0.16 : 0.22) && scale < 1.05) return Level::raised;
  if (off < (small ? -0.07 : -0.12) && scale < 1.15) return Level::lowered;
  return Level::line;
}

/// Signs and commas between two indices, or small ones beside one, are of the index.
void InkLine::join_signs(size_t k) {
  InkLetter& one = letters_[k];
  if (k == 0 || reach_of(one.letter) || one.level != Level::line) return;
  const Level before = letters_[k - 1].level;
  const Level after = k + 1 < letters_.size() ? letters_[k + 1].level : Level::line;
  const double y = (base_at(one.read.ink) - (one.read.ink.y0 + one.read.ink.y1) / 2.0) / em_;
  const double width = one.read.ink.width() / em_;
  if (before != Level::line && before == after && one.read.own) {
    if (before == Level::lowered ? y < 0.2 : y > 0.3) one.level = before;
    return;
  }
  if (!one.read.own || !is_one_of(one.letter, U"+-−–()*")) return;
  constexpr double kAxis = 0.25;
  const bool narrow = width < 0.5 && one.read.ink.height() < 0.85 * em_;
  if (narrow && y > kAxis + 0.13 && (before == Level::raised || after == Level::raised))
    one.level = Level::raised;
  if (narrow && y < kAxis - 0.13 && (before == Level::lowered || after == Level::lowered))
    one.level = Level::lowered;
}

/// Whether a letter has letters of the line on both sides, two of them small: a word's own, whose
/// ink was not told from its neighbour's.
bool InkLine::within_word(size_t k) const {
  const auto small = [&](size_t i) {
    return same_word(i, k) && letter(i) >= 'a' && letter(i) <= 'z' && on_line(i);
  };
  return letters_[k].level != Level::line && is_ascii_letter(letter(k)) && small(k - 1) &&
         small(k + 1) && ((k > 1 && small(k - 2)) || (k + 2 < letters_.size() && small(k + 2)));
}

/// Large and small letters of one form are told by their height.
void InkLine::mend_case(InkLetter& one) const {
  if (!one.read.own || !is_one_of(one.letter, U"cosuvwxzkCOSUVWXZK")) return;
  const double height = height_of(one) / em_ / (one.level == Level::line ? 1 : kIndexSize);
  const bool capital = one.letter < 'a', k_letter = (one.letter | 0x20) == 'k';
  if (!capital && !k_letter && height > 0.58 && one.level != Level::line) one.letter -= 0x20;
  if (capital && !k_letter && height < 0.52) one.letter += 0x20;
  if (one.level != Level::line && is_one_of(one.letter, U"oO") && height > 0.55) one.letter = '0';
}

/// The prime of a variable is read as an apostrophe or a quote.
void InkLine::find_prime(size_t k) {
  InkLetter& one = letters_[k];
  if (!is_one_of(one.letter, U"'’′\"”″") || !same_word(k - 1, k)) return;
  const bool word_before = k > 1 && same_word(k - 2, k) && is_latin_letter(letter(k - 1)) &&
                           is_latin_letter(letter(k - 2)) && on_line(k - 1) && on_line(k - 2);
  const bool letter_after = same_word(k, k + 1) && is_latin_letter(letter(k + 1));
  const bool variable = is_ascii_letter(letter(k - 1)) || is_greek(letter(k - 1)) ||
                        letter(k - 1) == 0x2032 || !on_line(k - 1) || letter(k - 1) == ')';
  if (word_before || !variable || (letter_after && one.letter != 0x2032)) return;
  one.letter = is_one_of(one.letter, U"\"”″") ? 0x2033 : 0x2032;
  one.level = Level::raised;
  one.use = InkLetter::Use::sign;
}

}  // namespace docspec

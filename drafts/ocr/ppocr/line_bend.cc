#include "drafts/ocr/ppocr/line_bend.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/median.h"

namespace docspec::ppocr {
namespace {

/// The middle of some neighbouring columns.
LineBend::Knot knot_of(std::span<const TextColumn> columns) {
  std::vector<double> middles;
  double along = 0;
  for (const TextColumn& column : columns) {
    middles.push_back((column.top + column.bottom) / 2);
    along += column.along / double(columns.size());
  }
  return {along, median(std::move(middles))};
}

/// How far the middle lies from a straight line between its ends, at most.
double sag_of(const LineBend& bend) {
  double most = 0;
  const LineBend ends{{bend.knots.front(), bend.knots.back()}, bend.thickness};
  for (const LineBend::Knot& knot : bend.knots)
    most = std::max(most, std::abs(knot.across - ends.across_at(knot.along)));
  return most;
}

}  // namespace

double LineBend::across_at(double along) const {
  if (knots.size() < 2) return knots.empty() ? 0 : knots.front().across;
  size_t right = 1;
  while (right + 1 < knots.size() && knots[right].along < along) ++right;
  const Knot &a = knots[right - 1], &b = knots[right];
  return a.across + (along - a.along) * (b.across - a.across) / (b.along - a.along);
}

LineBend find_bend(const std::vector<TextColumn>& columns, double height) {
  constexpr double kHigher = 1.3, kLong = 8;      // thicknesses, of the rectangle
  constexpr double kUneven = 2;                   // thicknesses: a drop capital, or two lines
  constexpr double kSteep = 0.3;                  // more than paper bends
  constexpr double kWindow = 2;                   // thicknesses between two knots
  constexpr double kSag = 0.1, kLeastSag = 0.75;  // thicknesses; pixels, of letters that are small
  if (columns.empty()) return {};
  std::vector<double> heights;
  for (const TextColumn& column : columns) heights.push_back(column.bottom - column.top + 1);
  const double highest = *std::max_element(heights.begin(), heights.end());
  LineBend bend;
  bend.thickness = median(std::move(heights));
  const double width = columns.back().along - columns.front().along;
  if (height + 1 < kHigher * bend.thickness || width < kLong * bend.thickness ||
      highest > kUneven * bend.thickness)
    return {};
  const auto count = size_t(width / (kWindow * bend.thickness));
  for (size_t i = 0; i < count; ++i) {
    const size_t from = i * columns.size() / count, to = (i + 1) * columns.size() / count;
    bend.knots.push_back(knot_of(std::span(columns).subspan(from, to - from)));
  }
  for (size_t i = 1; i < bend.knots.size(); ++i) {
    const LineBend::Knot &a = bend.knots[i - 1], &b = bend.knots[i];
    if (std::abs(b.across - a.across) > kSteep * (b.along - a.along)) return {};
  }
  if (sag_of(bend) < std::max(kLeastSag, kSag * bend.thickness)) return {};
  return bend;
}

}  // namespace docspec::ppocr

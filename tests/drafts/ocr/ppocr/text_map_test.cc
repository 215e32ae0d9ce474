#include "drafts/ocr/ppocr/text_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace docspec::ppocr {
namespace {

constexpr int kWidth = 200, kHeight = 100;

/// A map with a rectangle of text around a middle, turned by an angle.
std::vector<float> map_of(double x, double y, double width, double height, double angle) {
  std::vector<float> map(kWidth * kHeight, 0.05f);
  for (int py = 0; py < kHeight; ++py)
    for (int px = 0; px < kWidth; ++px) {
      const double u = (px - x) * std::cos(angle) + (py - y) * std::sin(angle);
      const double v = (py - y) * std::cos(angle) - (px - x) * std::sin(angle);
      if (std::abs(u) <= width / 2 && std::abs(v) <= height / 2) map[py * kWidth + px] = 0.9f;
    }
  return map;
}

TEST(TextMap, ALineGrowsByTheShareThatTheMapShrankIt) {
  const auto lines = find_lines(map_of(100, 50, 120, 10, 0).data(), kWidth, kHeight);
  ASSERT_EQ(lines.size(), 1u);
  // The dilated area is 121 x 11 pixels between the middles of its outermost ones.
  const double grow = 121.0 * 11 * 1.6 / (2 * (121 + 11));
  EXPECT_NEAR(lines[0].width, 121 + 2 * grow, 0.01);
  EXPECT_NEAR(lines[0].height, 11 + 2 * grow, 0.01);
  EXPECT_NEAR(lines[0].x, 100.5, 0.01);
  EXPECT_NEAR(lines[0].y, 50.5, 0.01);
  EXPECT_GT(lines[0].score, 0.75);
}

TEST(TextMap, ALeaningLineKeepsItsAngle) {
  const auto lines = find_lines(map_of(100, 50, 140, 12, 0.2).data(), kWidth, kHeight);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(lines[0].angle, 0.2, 0.02);
  EXPECT_NEAR(lines[0].y, 50.5, 1);
}

/// `count` lines of a page, 10 pixels high, 40 apart; the last `bent` of them end 36 pixels lower.
constexpr int kPageHeight = 900;
double middle_of(int line, bool bent, double x) {
  return 30 + 40 * line + (bent ? x * x / 1000 : 0);
}
std::vector<float> page_of(int count, int bent) {
  std::vector<float> map(kWidth * kPageHeight, 0.05f);
  for (int x = 10; x < 190; ++x)
    for (int y = 0; y < kPageHeight; ++y)
      for (int line = 0; line < count; ++line)
        if (std::abs(y - middle_of(line, line >= count - bent, x)) <= 4)
          map[size_t(y * kWidth + x)] = 0.9f;
  return map;
}

TEST(TextMap, LinesOnBentPaperAreFollowed) {
  const auto lines = find_lines(page_of(20, 20).data(), kWidth, kPageHeight);
  ASSERT_EQ(lines.size(), 20u);
  const LineBox& line = lines[0];
  EXPECT_GT(line.height, 20);
  EXPECT_NEAR(line.bend.thickness, 24, 2) << "10 pixels, and 7 on each side as other lines";
  for (const double along : {-80.0, -40.0, 0.0, 40.0, 80.0}) {
    const double across = line.bend.across_at(along);
    const double x = line.x + along * std::cos(line.angle) - across * std::sin(line.angle);
    const double y = line.y + along * std::sin(line.angle) + across * std::cos(line.angle);
    EXPECT_NEAR(y, middle_of(0, true, x) + 0.5, 1);
  }
}

TEST(TextMap, LinesThatBendAmongStraightOnesAreNotFollowed) {
  for (const LineBox& line : find_lines(page_of(20, 6).data(), kWidth, kPageHeight))
    EXPECT_TRUE(line.bend.knots.empty());
}

TEST(TextMap, ALineThatHangsOnADropCapitalIsKept) {
  std::vector<float> map = map_of(25, 50, 20, 60, 0);  // from y 20 to 80
  const std::vector<float> line = map_of(110, 26, 160, 12, 0);
  for (size_t i = 0; i < map.size(); ++i) map[i] = std::max(map[i], line[i]);
  const auto lines = find_lines(map.data(), kWidth, kHeight);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0].x, 25, 1);
  EXPECT_GT(lines[0].height, 60);
  EXPECT_NEAR(lines[1].y, 26.5, 0.1);
  EXPECT_NEAR(lines[1].x, 113.5, 1);
}

TEST(TextMap, ALineOnWhichIndicesHangIsKept) {
  std::vector<float> map = map_of(100, 50, 160, 10, 0);
  const std::vector<float> index = map_of(60, 60, 20, 18, 0);  // reaches 14 below the line
  for (size_t i = 0; i < map.size(); ++i) map[i] = std::max(map[i], index[i]);
  const auto lines = find_lines(map.data(), kWidth, kHeight);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(lines[0].y, 50.5, 1);
  EXPECT_NEAR(lines[0].x, 100.5, 1);
}

TEST(TextMap, TwoLinesThatAnIndexJoinsAreBothKept) {
  std::vector<float> map = map_of(100, 40, 160, 10, 0);
  for (const std::vector<float>& other : {map_of(60, 50, 12, 14, 0), map_of(60, 62, 80, 10, 0)})
    for (size_t i = 0; i < map.size(); ++i) map[i] = std::max(map[i], other[i]);
  const auto lines = find_lines(map.data(), kWidth, kHeight);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0].y, 40.5, 1);
  EXPECT_NEAR(lines[1].y, 62.5, 1);
  EXPECT_NEAR(lines[1].x, 60.5, 1);
}

TEST(TextMap, SpecksAndFaintAreasAreNoLines) {
  EXPECT_TRUE(find_lines(map_of(100, 50, 1, 1, 0).data(), kWidth, kHeight).empty());
  std::vector<float> faint = map_of(100, 50, 100, 10, 0);
  for (float& p : faint) p = p > 0.5f ? 0.4f : p;
  EXPECT_TRUE(find_lines(faint.data(), kWidth, kHeight).empty());
}

}  // namespace
}  // namespace docspec::ppocr

#include "drafts/ocr/missed_ink.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

void paint(PageImage& image, const Box& box, uint8_t level = 0) {
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x)
      for (int c = 0; c < 3; ++c) image.row(y)[3 * x + c] = level;
}

/// Three lines of text of 24 pixels, 40 pixels apart.
const std::vector<Box> kLines = {{100, 50, 500, 74}, {100, 90, 480, 114}, {100, 130, 420, 154}};

PageImage page() {
  PageImage image(1, 600, 200, 150);
  for (const Box& line : kLines) paint(image, line);
  return image;
}

TEST(MissedInk, DotsAndDashesBeforeLinesAreSignsOfAList) {
  PageImage image = page();
  for (const int y : {58, 98}) paint(image, {70, y, 79, y + 9});
  const MissedInk dots = find_missed_ink(image, kLines);
  ASSERT_EQ(dots.signs.size(), 2u);
  EXPECT_EQ(dots.signs[0].word.text, "•");
  EXPECT_EQ(dots.signs[0].line + dots.signs[1].line, 1u);
  image = page();
  for (const int y : {61, 101, 141}) paint(image, {70, y, 80, y + 3});
  const MissedInk dashes = find_missed_ink(image, kLines);
  ASSERT_EQ(dashes.signs.size(), 3u);
  EXPECT_EQ(dashes.signs[0].word.text, "-");
  EXPECT_TRUE(dots.letters.empty());
}

TEST(MissedInk, TrianglesBeforeLinesAreSignsOfAList) {
  PageImage image = page();
  for (const int y : {56, 96})
    for (int x = 0; x < 12; ++x) paint(image, {66 + x, y + x / 2, 67 + x, y + 12 - x / 2});
  EXPECT_EQ(find_missed_ink(image, kLines).signs.size(), 2u);
  PageImage corners = page();  // to the left
  for (const int y : {56, 96})
    for (int x = 0; x < 12; ++x) paint(corners, {66 + x, y + 6 - x / 2, 67 + x, y + 7 + x / 2});
  EXPECT_TRUE(find_missed_ink(corners, kLines).signs.empty());
}

/// A ring of 2 pixels.
void paint_ring(PageImage& image, const Box& box) {
  paint(image, box);
  paint(image, {box.x0 + 2, box.y0 + 2, box.x1 - 2, box.y1 - 2}, 255);
}

TEST(MissedInk, DotsAndCirclesThatOpenALineAreSignsToo) {
  PageImage image(1, 600, 200, 150);
  const std::vector<Box> lines = {{70, 50, 500, 74}, {70, 90, 480, 114}, {70, 130, 420, 154}};
  const auto letters = [&] {
    for (const Box& line : lines)
      for (int x = 100; x < line.x1; x += 20) paint(image, {x, line.y0 + 2, x + 16, line.y1 - 2});
  };
  letters();
  for (const int y : {58, 98}) paint(image, {72, y, 81, y + 9});
  const MissedInk dots = find_missed_ink(image, lines);
  ASSERT_EQ(dots.signs.size(), 2u);
  EXPECT_EQ(dots.signs[1].word.text, "•");
  EXPECT_EQ(dots.signs[1].line, 1u);
  paint(image, {70, 50, 95, 154}, 255);
  for (const int y : {98, 138}) paint_ring(image, {72, y, 82, y + 10});
  const MissedInk rings = find_missed_ink(image, lines);
  ASSERT_EQ(rings.signs.size(), 2u);
  EXPECT_EQ(rings.signs[0].line, 1u);
  paint(image, {84, 98, 95, 108});  // a letter follows: "ol"
  EXPECT_TRUE(find_missed_ink(image, lines).signs.empty());
}

TEST(MissedInk, OneDotIsDirtAndSoAreDotsHereAndThere) {
  PageImage image = page();
  paint(image, {70, 58, 79, 67});
  EXPECT_TRUE(find_missed_ink(image, kLines).signs.empty());
  paint(image, {40, 98, 49, 107});
  EXPECT_TRUE(find_missed_ink(image, kLines).signs.empty());
}

TEST(MissedInk, ALetterAloneInARowOfTwoLinesIsToBeRead) {
  PageImage image = page();
  paint(image, {540, 53, 550, 70});  // beside the first line
  paint(image, {540, 93, 550, 110});
  paint(image, {540, 170, 550, 187});  // below all
  std::vector<Box> lines = kLines;
  lines.push_back({560, 50, 598, 74});
  const MissedInk missed = find_missed_ink(image, lines);
  ASSERT_EQ(missed.letters.size(), 1u);
  EXPECT_EQ(missed.letters[0], (Box{540, 53, 550, 70}));
}

TEST(MissedInk, TheInsideOfWhiteLettersOnBlackIsNoSign) {
  PageImage image = page();
  for (const int y : {50, 90}) {
    paint(image, {55, y, 93, y + 26});
    paint(image, {66, y + 6, 83, y + 20}, 255);
    paint(image, {70, y + 9, 79, y + 17});
  }
  EXPECT_TRUE(find_missed_ink(image, kLines).signs.empty());
}

TEST(MissedInk, TheInsideOfTheFirstWhiteLetterIsNoSign) {
  PageImage image(1, 600, 200, 150);
  paint(image, {40, 20, 560, 190}, 60);
  const std::vector<Box> lines = {{70, 50, 500, 74}, {70, 90, 480, 114}, {70, 130, 420, 154}};
  for (const Box& line : lines)
    for (const int x : {72, 120, 160}) {  // "p": a stroke of 4 pixels around the dark
      paint(image, {x, line.y0 + 4, x + 16, line.y1 - 2}, 250);
      paint(image, {x + 4, line.y0 + 8, x + 12, line.y0 + 16}, 60);
    }
  EXPECT_TRUE(find_missed_ink(image, lines).signs.empty());
}

}  // namespace
}  // namespace docspec

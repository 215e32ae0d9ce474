// What was misread on forty pages drawn at random (seed 76).
#include <gtest/gtest.h>

#include "drafts/text/unmapped_signs.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

/// The words of a line and, a wide blank behind them, its page number.
void add_entry(PdfPage& page, double x, double y, const std::string& text, int number) {
  constexpr double kSize = 10, kCourier = 0.6;
  page.lines.push_back({x, y, text, kSize, "F3"});
  page.lines.push_back(
      {x + kCourier * kSize * double(text.size() + 2), y, std::to_string(number), kSize, "F3"});
}

TEST(PageSeed76, PageNumbersAtOneGapMakeContents) {
  PdfPage page;
  const char* const kNames[] = {"Rope and sail",     "Knots",      "The tide", "Lights at night",
                                "A fog horn sounds", "Lead lines", "Charts",   "Sounding by hand",
                                "Harbours",          "Rules"};
  int number = 52;
  for (int k = 0; k < 10; ++k)
    add_entry(page, k % 3 == 0 ? 100 : 120, 700.0 - 15 * k, kNames[k], number += 1 + k % 2);
  const std::string text = markdown_of(page);
  expect_lacks(text, "|");
  expect_has(text, "Rope and sail ... 53");
  expect_has(text, "Knots ... 55");
  expect_has(text, "Rules ... ");
}

TEST(PageSeed76, NumbersThatFallAreNoContents) {
  PdfPage page;
  for (int k = 0; k < 10; ++k)
    add_entry(page, 100, 700.0 - 15 * k, "Depth of basin " + std::string(size_t(k % 4), 'x'),
              40 - 3 * k);
  expect_lacks(markdown_of(page), "...");
}

TEST(PageSeed76, HeadingsOfOneStyleHaveOneLevel) {
  PdfPage page;
  for (int part = 0; part < 3; ++part) {
    const double top = 700 - 160 * part;
    page.lines.push_back({72, top, std::to_string(part + 5) + "  Harbour", 15, "F2"});
    for (int k = 0; k < 7; ++k)
      page.lines.push_back(
          {72, top - 24 - 12 * k, "the keeper wrote the hour into his log book and slept", 10});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "## 5 Harbour");
  expect_has(text, "## 7 Harbour");
  expect_lacks(text, "\n# 5");
  EXPECT_FALSE(text.starts_with("# ")) << text;
}

TEST(PageSeed76, ADotWithoutALetterIsABullet) {
  PageImage image(1, 200, 100, 72);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 200 * 3; ++x) image.row(y)[x] = 255;
  const auto draw_dot = [&](int left, int top) {
    for (int y = top; y < top + 5; ++y)
      for (int x = left * 3; x < (left + 5) * 3; ++x) image.row(y)[x] = 0;
  };
  draw_dot(12, 26);
  draw_dot(120, 66);
  const auto word = [](const char* text, Box box) {
    Word out{text, box};
    out.font_size_pt = 16;
    return out;
  };
  // The font's heights are wrong: the first dot reaches over its word's box.
  std::vector<Word> words = {word("\uFFFD", {10, 28, 19, 44}), word("tide", {60, 22, 90, 38}),
                             word("sand", {80, 62, 116, 78}), word("\uFFFD", {118, 62, 127, 78})};
  read_unmapped_signs(words, image, 1);
  ASSERT_EQ(words.size(), 3u);  // behind a word it is none
  EXPECT_EQ(words[0].text, "•");
  EXPECT_EQ(words[2].text, "sand");
}

}  // namespace
}  // namespace docspec

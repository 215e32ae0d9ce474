// Text printed across a page is not of its lines.
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

constexpr int kRows = 40;

/// A page of prose with `text` in 60 points, turned by the matrix whose first column is (x, y).
PdfPage with_watermark(const std::string& text, double x, double y) {
  PdfPage page;
  add_prose(page, 72, 740, kRows);
  page.drawing = "BT /F1 60 Tf " + std::to_string(x) + " " + std::to_string(y) + " " +
                 std::to_string(-y) + " " + std::to_string(x) + " 150 320 Tm (" + text + ") Tj ET ";
  return page;
}

std::string prose() {
  PdfPage page;
  add_prose(page, 72, 740, kRows);
  return markdown_of(page);
}

TEST(PageWatermarks, LettersAslantAcrossThePageTearNoLineApart) {
  const double angles[][2] = {{0.94, 0.34}, {0.77, 0.64}, {0.64, 0.77}, {0.77, -0.64}};
  for (const auto& [x, y] : angles)
    EXPECT_EQ(markdown_of(with_watermark("Sample", x, y)), prose()) << x << ' ' << y;
}

TEST(PageWatermarks, ALargeWordAcrossManyLinesIsNoText) {
  EXPECT_EQ(markdown_of(with_watermark("DRAFT", 1, 0)), prose());
}

TEST(PageWatermarks, ALargeWordThatCrossesNothingStays) {
  PdfPage page = with_watermark("HOME", 1, 0);
  page.lines.clear();
  add_prose(page, 72, 740, 10);
  expect_has(markdown_of(page), "HOME");
}

}  // namespace
}  // namespace docspec

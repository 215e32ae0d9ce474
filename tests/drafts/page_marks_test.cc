// Pages that were misread in the draws of seeds 49 and 50: drawn bullets and boxes, forms that are
// ruled at the right, heads of grids, bold beginnings, fonts without names or maps.
#include <gtest/gtest.h>

#include "core/input/letters/tex_letters.h"
#include "core/input/pdf_words.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

/// A filled square of the size of a bullet, left of a line at `x`, `y`.
std::string dot(double x, double y) {
  return std::to_string(x - 12) + " " + std::to_string(y + 2) + " 3.5 3.5 re f\n";
}
/// An empty box, left of a line at `x`, `y`.
std::string empty_box(double x, double y) {
  return test::frame(x - 14, y - 1, 9, 9);
}

TEST(PageMarks, DrawnDotsAboveEachOtherAreBullets) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const items[] = {"led a group of five", "wrote the manual", "taught two courses"};
  for (int i = 0; i < 3; ++i) {
    page.lines.push_back({90, 670.0 - 16 * i, items[i], 10});
    page.drawing += dot(90, 670.0 - 16 * i);
  }
  expect_has(markdown_of(page),
             "- led a group of five\n- wrote the manual\n- taught two courses\n");
}

TEST(PageMarks, ALoneDotIsNoBullet) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({90, 670, "led a group of five", 10});
  page.drawing = dot(90, 670);
  expect_lacks(markdown_of(page), "- led");
}

TEST(PageMarks, DrawnBoxesAreEmptyOrTicked) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({100, 660, "Yes", 10});
  page.lines.push_back({160, 660, "No", 10});
  page.drawing =
      empty_box(100, 660) + empty_box(160, 660) + "147 660 m 154 667 l S 154 660 m 147 667 l S\n";
  const std::string text = markdown_of(page);
  expect_has(text, "☐ Yes");
  expect_has(text, "☒ No");
}

TEST(PageMarks, AFormRuledAtTheRightHasARowForEachField) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const fields[] = {"Wages of the year", "Interest from savings", "Rents received",
                                "Other income"};
  for (int row = 0; row < 4; ++row) {
    const double y = 640 - 20.0 * row;
    page.lines.push_back({80, y, fields[row], 10});
    page.lines.push_back({404, y, std::to_string(row + 11), 10});
    page.drawing += "400 " + std::to_string(y - 5) + " m 540 " + std::to_string(y - 5) + " l S\n";
  }
  page.drawing += "72 655 468 -80 re S 400 575 m 400 655 l S 440 575 m 440 655 l S\n";
  const std::string text = markdown_of(page);
  for (int row = 0; row < 4; ++row) {
    const size_t field = text.find(fields[row]), code = text.find(std::to_string(row + 11));
    ASSERT_NE(field, std::string::npos) << text;
    EXPECT_LT(field, code) << text;
    if (row < 3) {
      EXPECT_LT(code, text.find(fields[row + 1])) << text;
    }
  }
}

TEST(PageMarks, HeadsRightAboveTheFirstRuleAreOfTheTable) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const double columns[] = {80, 160, 240, 320};
  const char* const rows[][4] = {{"", "In situ", "Control", "Total"},
                                 {"AA", "6", "32", "38"},
                                 {"AG", "8", "47", "55"},
                                 {"GG", "10", "20", "30"}};
  for (int row = 0; row < 4; ++row)
    for (int c = 0; c < 4; ++c)
      if (*rows[row][c]) page.lines.push_back({columns[c], 650.0 - 14 * row, rows[row][c], 10});
  page.drawing = "76 646 m 370 646 l S 76 603 m 370 603 l S\n";
  expect_has(markdown_of(page), "|  | In situ | Control | Total |");
}

TEST(PageMarks, BoldHeadsAboveTheFirstRuleMayBeLonger) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const double columns[] = {80, 160, 240, 320};
  const char* const rows[][4] = {{"", "In situ", "Control", "All that were found"},
                                 {"AA", "6", "32", "38"},
                                 {"AG", "8", "47", "55"},
                                 {"GG", "10", "20", "30"}};
  for (int row = 0; row < 4; ++row)
    for (int c = 0; c < 4; ++c)
      if (*rows[row][c])
        page.lines.push_back(
            {columns[c], 650.0 - 14 * row, rows[row][c], 10, row == 0 ? "F2" : "F1"});
  page.drawing = "76 646 m 430 646 l S 76 603 m 430 603 l S\n";
  expect_has(markdown_of(page), "|  | In situ | Control | All that were found |");
}

TEST(PageMarks, NamesSideBySideBelowATitleAreNoHeadings) {
  PdfPage page;
  page.lines = {{120, 740, "A Survey of the North Harbour", 20, "F2"},
                {100, 700, "Anna Berg", 12, "F2"},
                {260, 700, "Otto Lind", 12, "F2"},
                {420, 700, "Ida Holm", 12, "F2"},
                {72, 650, "Purpose", 12, "F2"}};
  add_prose(page, 72, 630, 12);
  const std::string text = markdown_of(page);
  expect_has(text, "# A Survey of the North Harbour");
  expect_has(text, "# Purpose");
  for (const char* name : {"# Anna", "# Otto", "# Ida"}) expect_lacks(text, name);
}

TEST(PageMarks, ABoldBeginningIsNoHeading) {
  PdfPage page;
  page.lines = {{72, 740, "The sharing economy helps people to save", 10, "F2"},
                {72, 727, "money and time,", 10, "F2"},
                {160, 727, "so it is attracting many of them", 10}};
  add_prose(page, 72, 714, 6);
  const std::string text = markdown_of(page);
  expect_lacks(text, "#");
  expect_has(text, "save money and time");
}

TEST(PageMarks, AnAddressInTypewriterEndsTheEntryThatItBelongsTo) {
  PdfPage page;
  for (int entry = 0; entry < 4; ++entry) {
    const double y = 740 - 50.0 * entry;
    page.lines.push_back({72, y, "Stata (2019). Statistical Software, Release 16, of Texas.", 10});
    if (entry == 3) {
      page.lines.push_back({82, y - 12, "https://www.stata.com/all/releases.", 10, "F3"});
      continue;
    }
    page.lines.push_back({82, y - 12, "Printed for the College, and sold in all shops, 17", 10});
    page.lines.push_back({82, y - 24, "volumes with 300 plates.", 10});
  }
  expect_lacks(markdown_of(page), "```");
}

TEST(PageMarks, CodesOfBitmapFontsAreLigaturesAndQuotes) {
  EXPECT_EQ(bitmap_letter(0x1C), 0xFB01u);
  EXPECT_EQ(bitmap_letter(0x0D), 0xFB02u);
  EXPECT_EQ(bitmap_letter(0x10), 0x201Cu);
  EXPECT_EQ(bitmap_letter(0x15), 0x2013u);
  EXPECT_EQ(bitmap_letter('a'), 0u);
}

TEST(PageMarks, TheSizeOfANamelessFontFollowsFromItsLetters) {
  // Poppler calls letters of 10 points 20 high, and gives them boxes of 26.
  std::vector<Word> words;
  for (int i = 0; i < 12; ++i) {
    Word word{"letters", {10, 40 * i, 10 + 36, 40 * i + 26}};
    word.font_size_pt = 20;
    words.push_back(word);
  }
  clip_tall_boxes(words, std::vector<double>(words.size(), 0.0), 1, false);
  EXPECT_NEAR(words[3].font_size_pt, 10, 1.5);
  EXPECT_LE(words[3].box.height(), 12);
  // The letters stand on a line 19 below the box's top.
  EXPECT_LT(words[3].box.y0, 120 + 19);
  EXPECT_GT(words[3].box.y1, 120 + 19);
}

TEST(PageMarks, NothingConfirmsALayerWithCodesThatNoLetterHas) {
  std::vector<Word> layer(20, Word{"harbour", {}}), ocr(20, Word{"harbour", {}});
  EXPECT_EQ(confirmed_by(layer, ocr), 1.0);
  for (int i = 0; i < 3; ++i) layer[size_t(i)].text += "\uFFFD";
  EXPECT_EQ(confirmed_by(layer, ocr), 0.0);
  EXPECT_FALSE(trust_text_layer(layer, nullptr, nullptr, 1, 600, 800));
}

}  // namespace
}  // namespace docspec

// What was misread in tables of real pages (seed 102): heads of several lines, rows parted by
// white, text that runs over the edge of its cell.
#include <gtest/gtest.h>

#include "core/page/page_image.h"
#include "drafts/grid/shaded_rows.h"
#include "drafts/table/rows/open_rows.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rule;

/// A word whose box begins at the left and the top given, 20 pixels high.
Word word_at(int x, int y, const std::string& text) {
  Word word;
  word.text = text;
  word.box = {x, y, x + 10 * int(text.size()), y + 20};
  return word;
}

TEST(PageSeed102Tables, AHeadOfSeveralLinesThatStandsAtTheFootOfItsRowIsOneRow) {
  for (const bool foot : {true, false}) {
    RuledTable table{{0, 0, 600, 130}, 1, 3, {}};
    std::vector<Word> words;
    for (int column = 0; column < 3; ++column)
      table.cells.push_back({0, column, 1, 1, {200 * column, 0, 200 * column + 200, 130}});
    for (int line = 0; line < 4; ++line) {
      if (!foot || line == 3) words.push_back(word_at(10, 5 + 30 * line, "Benefit"));
      words.push_back(word_at(210, 5 + 30 * line, "Districts"));
      words.push_back(word_at(410, 5 + 30 * line, "Schools"));
    }
    split_open_rows(table, words);
    EXPECT_EQ(table.rows, foot ? 1 : 4);
  }
}

/// A cell of two entries below their head, each beside two lines of what it means.
std::vector<Word> entries_below_a_head(int entries) {
  std::vector<Word> words{word_at(10, 5, "Mobile:")};
  for (int k = 0; k < entries; ++k) {
    const int y = 55 + 80 * k;
    words.push_back(word_at(30, y, "Road"));
    words.push_back(word_at(210, y, "Emissions"));
    words.push_back(word_at(210, y + 25, "from cars"));
  }
  return words;
}

TEST(PageSeed102Tables, AHeadOfEntriesThatWhitePartsIsARowOfItsOwn) {
  for (const int entries : {1, 2}) {
    RuledTable table{{0, 0, 400, 220}, 1, 2, {}};
    for (int column = 0; column < 2; ++column)
      table.cells.push_back({0, column, 1, 1, {200 * column, 0, 200 * column + 200, 220}});
    split_open_rows(table, entries_below_a_head(entries));
    EXPECT_EQ(table.rows, entries == 1 ? 1 : 3);
  }
}

TEST(PageSeed102Tables, ABlankCellBelowTheShadeOfALabelIsNoRow) {
  RuledTable table{{0, 0, 400, 220}, 2, 2, {}};
  table.cells.push_back({0, 0, 1, 1, {0, 0, 200, 160}});
  table.cells.push_back({0, 1, 1, 2, {200, 0, 400, 220}});
  table.cells.push_back({1, 0, 1, 1, {0, 160, 200, 220}});
  split_open_rows(table, entries_below_a_head(2));
  EXPECT_EQ(table.rows, 3);
  EXPECT_EQ(table.cells.size(), 6u);
}

/// A note's table whose columns of years have rules, with `corner` over what is left of them.
PdfPage ruled_note(double x, const std::string& corner) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  const std::string rows[][3] = {{"", "2022", "2021"},
                                 {"Currency gains", "7", "137"},
                                 {"Bank interest", "25", "21"},
                                 {"Interest on loans and charges", "4", "376"},
                                 {"Finance income", "36", "534"}};
  double y = 590;
  page.lines.push_back({x, y, corner, 10});
  for (const auto& row : rows) {
    if (!row[0].empty()) page.lines.push_back({72, y, row[0], 10});
    page.lines.push_back(line_ending(400, y, row[1], "F1", 10));
    page.lines.push_back(line_ending(480, y, row[2], "F1", 10));
    if (row[0].empty()) page.drawing += rule(345, 401, y - 4) + rule(425, 481, y - 4);
    y -= 14;
  }
  add_prose(page, 72, 460, 10);
  return page;
}

TEST(PageSeed102Tables, AHeadRightOfAllLabelsIsThatOfItsOwnColumn) {
  expect_has(markdown_of(ruled_note(310, "Note")), "|  | Note | 2022 | 2021 |");
  expect_has(markdown_of(ruled_note(72, "Costs")), "| Costs | 2022 | 2021 |");
}

TEST(PageSeed102Tables, ABoldLineOverHeadsOfColumnsBeginsAnotherTable) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  double y = 590;
  const auto add_row = [&](const std::string& label, const std::string& now,
                           const std::string& before, bool ruled) {
    if (!label.empty()) page.lines.push_back({72, y, label, 10});
    page.lines.push_back(line_ending(400, y, now, "F1", 10));
    page.lines.push_back(line_ending(480, y, before, "F1", 10));
    if (ruled) page.drawing += rule(72, 481, y - 4);
    y -= 15;
  };
  add_row("", "2022", "2021", true);
  add_row("Ordinary shares", "21,904", "21,140", true);
  add_row("Total share capital", "21,904", "21,140", true);
  page.lines.push_back({72, y - 5, "Number of shares:", 10, "F2"});
  y -= 22;
  add_row("", "2022", "2021", true);
  add_row("Ordinary shares that are authorised", "100,000", "100,000", true);
  add_row("Ordinary shares that are paid up", "78,437", "75,738", true);
  add_prose(page, 72, y - 30, 10);
  const std::string text = markdown_of(page);
  expect_lacks(text, "| Number of shares:");
  expect_has(text, "| Total share capital | 21,904 | 21,140 |");
  expect_has(text, "| Ordinary shares that are paid up | 78,437 | 75,738 |");
}

TEST(PageSeed102Tables, HeadsThatComeAgainBeginAnotherTable) {
  for (const bool again : {true, false}) {
    PdfPage page;
    add_prose(page, 72, 740, 10);
    double y = 590;
    for (int part = 0; part < 2; ++part) {
      const std::string year = part == 0 ? "2022" : "2021";
      const bool head = part == 0 || again;
      page.lines.push_back({72, y, head ? "31 December " + year : "Other assets", 10, "F2"});
      page.lines.push_back(line_ending(480, y, head ? "Total" : "Sum", "F2", 10));
      page.drawing += rule(72, 481, y - 5);
      for (const char* label : {"Trade receivables", "Cash and deposits", "Borrowings"}) {
        y -= 17;
        page.lines.push_back({72, y, label, 10});
        page.lines.push_back(line_ending(480, y, "9," + std::to_string(100 + int(y)), "F1", 10));
      }
      y -= 22;
    }
    page.drawing += rule(72, 481, y + 17);
    add_prose(page, 72, y - 20, 10);
    const std::string text = markdown_of(page);
    (again ? expect_has : expect_lacks)(text, "\n| 31 December 2021 | Total |\n| --- |");
  }
}

TEST(PageSeed102Tables, AShadeGoesOnWhereLettersStandAtItsVeryEdge) {
  PageImage image(1, 600, 400, 144);
  for (int y = 0; y < 400; ++y) {
    const bool shaded = y % 60 < 30 && y > 60 && y<300, letter = y % 30> 10 && y % 30 < 14;
    for (int x = 0; x < 600; ++x) {
      const bool ink = letter && x >= 50 && x < 60;
      const int level = ink ? 0 : shaded && x >= 50 && x < 550 ? 204 : 255;
      std::fill_n(image.row(y) + 3 * x, 3, uint8_t(level));
    }
  }
  PageInput page;
  page.width_px = 600, page.height_px = 400;
  page.image = &image;
  const auto stacks = find_shaded_rows(page, 20);
  ASSERT_EQ(stacks.size(), 1u);
  EXPECT_EQ(stacks[0].size(), 4u);
}

/// A ruled table of work and employers, of which one cell's text is cut at the cell's edge: its
/// last letter has a clip, and the text of the next cell follows at once.
PdfPage clipped_cell(bool clip) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  for (int row = 0; row < 6; ++row) {
    const double y = 600 - 14.0 * row;
    page.drawing += test::frame(72, y, 100, 14) + test::frame(172, y, 100, 14);
    const std::string work = row == 3 ? "Dean of the college of Desig" : "Teacher";
    page.lines.push_back({74, y + 4, work, 8});
    if (row != 3) page.lines.push_back({174, y + 4, "School", 8});
  }
  const std::string at = " 562 Tm (";
  page.drawing += std::string("q ") + (clip ? "72 558 100 14 re W n " : "") +
                  "BT /F1 8 Tf 1 0 0 1 169.7" + at + "n) Tj ET Q BT /F1 8 Tf 1 0 0 1 173.2" + at +
                  "UMN) Tj ET ";
  return page;
}

TEST(PageSeed102Tables, TextPastTheClipOfTheTextBeforeItIsAnotherCells) {
  expect_has(markdown_of(clipped_cell(true)), "n | UMN |");
  expect_lacks(markdown_of(clipped_cell(false)), "n | UMN |");
}

}  // namespace
}  // namespace docspec

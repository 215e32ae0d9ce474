// Charts that are drawn as lines: their labels are theirs, and the text goes around them.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

std::string number(double value) {
  return std::to_string(value) + " ";
}

/// A frame with a curve in it.
std::string plot(double x, double y, double width, double height) {
  return "0.8 w " + number(x) + number(y) + number(width) + number(height) + "re S " + number(x) +
         number(y + 20) + "m " + number(x + width / 3) + number(y + height / 2) + "l " +
         number(x + width) + number(y + height - 9) + "l S\n";
}

/// Numbers beside a plot, from the bottom up.
void add_scale(PdfPage& page, double x, double y, double step,
               const std::vector<std::string>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i)
    page.lines.push_back({x, y + step * double(i), numbers[i], 8});
}

PdfPage page_with_chart() {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  page.drawing = plot(120, 500, 180, 140);
  add_scale(page, 104, 500, 40, {"10", "20", "30", "40"});
  for (int i = 0; i < 4; ++i) page.lines.push_back({120.0 + 50 * i, 488, std::to_string(i), 8});
  page.lines.push_back({190, 474, "Hours at sea", 8});
  page.lines.push_back({200, 560, "ships", 8});
  page.lines.push_back({200, 550, "boats", 8});
  page.lines.push_back({72, 450, "Figure 1: What was seen.", 10});
  add_prose(page, 72, 420, 5);
  return page;
}

TEST(PageCharts, LabelsAreThePicturesOwn) {
  const std::string text = markdown_of(page_with_chart());
  for (const char* label : {"10", "40", "Hours", "ships", "boats", "|"}) expect_lacks(text, label);
  expect_has(text, "Figure 1: What was seen.");
}

TEST(PageCharts, LabelsAtTheHeightsOfAScaleMakeNoTableOfCurves) {
  PdfPage page = page_with_chart();
  for (int i = 0; i < 4; ++i) page.lines.push_back({230, 500.0 + 40 * i, "steamers", 8});
  page.drawing = test::frame(120, 500, 180, 140);
  expect_has(markdown_of(page), "steamers");
  for (int i = 0; i < 60; ++i)  // a zigzag
    page.drawing += number(125 + 2.8 * i) + number(i % 2 ? 512 : 536) + (i == 0 ? "m " : "l ");
  page.drawing += "S\n";
  expect_lacks(markdown_of(page), "steamers");
}

/// Bars without an axis to join them, the scale and the axis's name at their left.
TEST(PageCharts, BarsSideBySideAreOneChart) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  const char* const names[] = {"Sweden", "Norway", "Latvia", "Poland", "France", "Spain"};
  for (int i = 0; i < 6; ++i) {
    page.drawing += "0.1 0.2 0.5 rg " + number(120 + 36.0 * i) + number(500) + number(22) +
                    number(140 - 15.0 * i) + "re f\n";
    page.lines.push_back({118.0 + 36 * i, 486, names[i], 6});
  }
  add_scale(page, 106, 500, 35, {"0", "1", "2", "3", "4"});
  page.lines.push_back({86, 566, "y", 8});
  add_prose(page, 72, 420, 5);
  const std::string text = markdown_of(page);
  for (const char* name : names) expect_lacks(text, name);
  expect_lacks(text, "\ny\n");
}

TEST(PageCharts, AScaleMayCountMoneyAndThousands) {
  PdfPage page = page_with_chart();
  const std::vector<std::string> money = {"$500.00", "$1,000.00", "$1,500.00", "$2,000.00"};
  for (test::PdfLine& line : page.lines)
    for (size_t i = 0; i < money.size(); ++i)
      if (line.x == 104 && line.text == std::to_string(10 * (i + 1)))
        line.text = money[i], line.x = 76;
  const std::string text = markdown_of(page);
  for (const std::string& label : money) expect_lacks(text, label.c_str());
}

TEST(PageCharts, WithoutEqualStepsItIsNoScale) {
  PdfPage page = page_with_chart();
  for (test::PdfLine& line : page.lines)
    if (line.text == "20")
      line.text = "23";
    else if (line.text.starts_with("Figure"))
      line.text = "What was seen.";
  expect_has(markdown_of(page), "23");
}

TEST(PageCharts, RowsThatAreCountedAreATable) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  page.drawing = "0.5 w\n";
  for (int row = 0; row < 4; ++row) {
    const double y = 600 - 20.0 * row;
    for (const double x : {100.0, 130.0, 220.0})
      page.drawing += number(x) + number(y) + (x < 130 ? "30 " : "90 ") + "20 re S\n";
    page.lines.push_back({102, y + 6, std::to_string(row + 1), 10});
    page.lines.push_back({134, y + 6, row % 2 ? "Boats" : "Ships", 10});
    page.lines.push_back({224, y + 6, std::to_string(37 * row + 11), 10});
  }
  expect_has(markdown_of(page), "| 3 | Ships | 85 |");
}

TEST(PageCharts, NumberedLinesOfCodeInAFrameStay) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  page.drawing = "0.5 w 80 500 300 80 re S\n";
  for (int row = 0; row < 5; ++row) {
    page.lines.push_back({82, 568.0 - 15 * row, std::to_string(row + 1), 8, "F3"});
    page.lines.push_back({100, 568.0 - 15 * row, "$ make " + std::to_string(100 + row), 8, "F3"});
  }
  expect_has(markdown_of(page), "$ make 104");
}

TEST(PageCharts, TextAroundAChartIsOneParagraph) {
  PdfPage page;
  page.drawing = plot(110, 560, 150, 120);
  add_scale(page, 94, 560, 40, {"10", "20", "30"});
  const std::string wide =
      "words of a line that is as wide as all of the page is and goes on and on";
  const std::string narrow = "words that leave room for the chart here";
  for (int row = 0; row < 3; ++row) page.lines.push_back({72, 740.0 - 13 * row, wide, 10});
  for (int row = 3; row < 15; ++row) page.lines.push_back({290, 740.0 - 13 * row, narrow, 10});
  for (int row = 15; row < 18; ++row) page.lines.push_back({72, 740.0 - 13 * row, wide, 10});
  page.lines.push_back({72, 740.0 - 13 * 18, "and then it ends.", 10});
  const std::string text = markdown_of(page);
  expect_has(text, "goes on and on words that leave room");
  expect_has(text, "chart here words of a line");
  expect_lacks(text, "20");
}

}  // namespace
}  // namespace docspec

// Bills, forms and statements whose cells were misread in public PDFs.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rectangle;
using test::rule;

/// Labels, and amounts below the rules of two columns.
TEST(PageBills, DatesOverTheRulesOfColumnsAreHeads) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.drawing = "1 w " + rule(380, 460, 620) + rule(470, 550, 620);
  page.lines.push_back(line_ending(450, 624, "Jan 26, 2025", "F2", 9));
  page.lines.push_back(line_ending(540, 624, "Jan 28, 2024", "F2", 9));
  const char* const rows[][3] = {{"Balance at beginning of period", "1,670", "1,238"},
                                 {"Increases for current year", "1,268", "616"},
                                 {"Settlements", "(10)", "(104)"}};
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({72, 604 - 14.0 * row, rows[row][0], 9});
    for (int c = 0; c < 2; ++c)
      page.lines.push_back(line_ending(458 + 90 * c, 604 - 14.0 * row, rows[row][c + 1], "F1", 9));
  }
  page.lines.push_back({382, 604, "$", 9});
  page.lines.push_back({472, 604, "$", 9});
  const std::string text = markdown_of(page);
  expect_has(text, "Jan 26, 2025 | Jan 28, 2024 |");
  expect_has(text, "| Balance at beginning of period | $ 1,670 | $ 1,238 |");
  expect_has(text, "| Settlements | (10) | (104) |");
}

/// Fields of a form: a label above a value in each, those at the left over two rows of the right.
PdfPage fields() {
  PdfPage page;
  page.drawing = "0.8 w " + frame(60, 600, 120, 60) + frame(180, 600, 120, 60) +
                 frame(300, 630, 120, 30) + frame(420, 630, 120, 30) + frame(300, 600, 240, 30) +
                 frame(60, 560, 240, 40) + frame(300, 560, 240, 40);
  page.lines.push_back({64, 650, "Payer's number", 8});
  page.lines.push_back({90, 612, "63-0476286", 9, "F2"});
  page.lines.push_back({184, 650, "Recipient's number", 8});
  page.lines.push_back({210, 612, "554-03-0876", 9, "F2"});
  page.lines.push_back({304, 648, "2", 8});
  page.lines.push_back({313, 648, "Early penalty", 8});
  page.lines.push_back({424, 648, "4", 8});
  page.lines.push_back({433, 648, "Tax withheld", 8});
  page.lines.push_back({304, 621, "1", 8});
  page.lines.push_back({313, 621, "Compensation", 8});
  page.lines.push_back({306, 604, "$", 9});
  page.lines.push_back(line_ending(536, 604, "5000", "F2", 9));
  page.lines.push_back({64, 588, "Account", 8});
  page.lines.push_back({304, 588, "State", 8});
  add_prose(page, 60, 520, 5);
  return page;
}

TEST(PageBills, ANumberBelowItsLabelIsOfItsCell) {
  const std::string text = markdown_of(fields());
  expect_has(text, ">Payer's number 63-0476286</td>");
  expect_has(text, ">Recipient's number 554-03-0876</td>");
}

TEST(PageBills, TheNumberOfAFieldAndASignOfMoneyStandWithTheirText) {
  const std::string text = markdown_of(fields());
  expect_has(text, ">2 Early penalty</td>");
  expect_has(text, ">4 Tax withheld</td>");
  expect_has(text, ">1 Compensation $ 5000</td>");
}

/// Rules part the columns, and a shade the groups of rows.
TEST(PageBills, LabelsWithoutFiguresAreRowsOfAStatement) {
  PdfPage page;
  const char* const rows[][3] = {{"Account", "2017", "2018"},
                                 {"A. Value of production", "124,504", "127,608"},
                                 {"Sales", "120,062", "124,406"},
                                 {"B. Costs", "115,995", "116,800"},
                                 {"Materials", "63,441", "68,164"},
                                 {"C. Finance", "57", "461"},
                                 {"Of parents", "", ""},
                                 {"Of sisters", "", ""},
                                 {"Of others", "57", "461"},
                                 {"D. Interest", "3,027", "2,996"},
                                 {"Of banks", "3,027", "2,996"},
                                 {"E. Result", "8,509", "10,808"},
                                 {"Tax", "1,402", "1,733"}};
  const double top = 740, pitch = 16;
  for (int row = 0; row < 13; ++row) {
    const double y = top - pitch * row;
    if (rows[row][0][1] == '.')
      page.drawing += "0.8 g " + rectangle("f", 60, y - pitch, 400, pitch) + "0 g ";
    page.lines.push_back({64, y - 11, rows[row][0], 9});
    for (int c = 0; c < 2; ++c)
      if (rows[row][c + 1][0])
        page.lines.push_back(line_ending(350 + 100 * c, y - 11, rows[row][c + 1], "F1", 9));
  }
  const double foot = top - pitch * 13;
  page.drawing += "0.8 w " + rule(60, 460, top) + rule(60, 460, foot);
  for (double x : {60, 260, 360, 460}) page.drawing += rectangle("f", x, foot, 0.8, top - foot);
  const std::string text = markdown_of(page);
  expect_has(text, "| Of parents |  |  |\n| Of sisters |  |  |\n| Of others | 57 | 461 |");
  expect_has(text, "| E. Result | 8,509 | 10,808 |\n| Tax | 1,402 | 1,733 |");
}

/// The items of a bill; `first` stands in the column before the prices.
PdfPage bill(const std::vector<std::pair<double, std::string>>& heads, const char* rate) {
  PdfPage page;
  add_prose(page, 60, 740, 5);
  page.drawing = "0.8 w " + rule(60, 540, 660) + rule(60, 540, 640) + rule(60, 540, 500);
  for (const auto& [x, head] : heads) page.lines.push_back(line_ending(x, 646, head, "F2", 9));
  for (int row = 0; row < 8; ++row) {
    const double y = 626 - 16.0 * row;
    page.lines.push_back({60, y, "Article of the kind " + std::to_string(row), 9});
    page.lines.push_back(line_ending(330, y, std::to_string(row + 1), "F1", 9));
    page.lines.push_back(line_ending(460, y, rate, "F1", 9));
    page.lines.push_back(line_ending(540, y, "1" + std::to_string(row) + "9.00", "F1", 9));
  }
  return page;
}

TEST(PageBills, HeadsABlankApartStandOverTheirAmounts) {
  const std::string text = markdown_of(
      bill({{92, "Article"}, {330, "Count"}, {460, "VAT"}, {539, "Price with all VAT"}}, "21%"));
  expect_has(text, "| Article | Count | VAT | Price with all VAT |");
  expect_has(text, "| Article of the kind 3 | 4 | 21% | 139.00 |");
}

TEST(PageBills, AHeadWithoutValuesHasAColumn) {
  const std::string text = markdown_of(
      bill({{92, "Article"}, {330, "Count"}, {400, "Discount"}, {460, "Each"}, {540, "Price"}},
           "12.00"));
  expect_has(text, "| Article | Count | Discount | Each | Price |");
  expect_has(text, "| Article of the kind 3 | 4 |  | 12.00 | 139.00 |");
}

TEST(PageBills, ANoteAmongItemsPartsNoColumns) {
  PdfPage page = bill({{92, "Article"}, {330, "Count"}, {460, "Each"}, {540, "Price"}}, "12.00");
  for (size_t i = 9; i < page.lines.size(); ++i)
    if (page.lines[i].y < 570) page.lines[i].y -= 16;
  page.lines.push_back(
      {60, 562, "The oil of this house comes in glasses that can be filled again by you", 9});
  const std::string text = markdown_of(page);
  expect_has(text, "Article of the kind 3</td><td>4</td><td>12.00</td><td>139.00</td>");
  expect_has(text, "Article of the kind 6</td><td>7</td><td>12.00</td><td>169.00</td>");
}

TEST(PageBills, LabelsWithColonsHeadTheirValues) {
  PdfPage page;
  const char* const facts[][2] = {
      {"Invoice Date:", "03/20/2023"}, {"Due Date:", "04/04/2023"}, {"Reference:", "CUSTREF123"}};
  add_prose(page, 60, 740, 5);
  for (int c = 0; c < 3; ++c) {
    page.lines.push_back({60 + 185.0 * c, 640, facts[c][0], 10, "F2"});
    page.lines.push_back({60 + 185.0 * c, 625, facts[c][1], 10});
  }
  add_prose(page, 60, 580, 5);
  expect_has(markdown_of(page),
             "| Invoice Date: | Due Date: | Reference: |\n| --- | --- | --- |\n"
             "| 03/20/2023 | 04/04/2023 | CUSTREF123 |");
}

TEST(PageBills, AnAddressBesideLabelsIsNoColumn) {
  PdfPage page;
  add_prose(page, 60, 740, 5);
  const char* const rows[][3] = {{"BILL TO", "Invoice No:", "#INV03051"},
                                 {"Christopher Carter", "Invoice Date:", "10/18/18"},
                                 {"2558 Mills East", "Due Date:", "12/17/18"}};
  for (int row = 0; row < 3; ++row) {
    const double y = 640 - 16.0 * row;
    page.lines.push_back({60, y, rows[row][0], 10});
    page.lines.push_back({360, y, rows[row][1], 10});
    page.lines.push_back({460, y, rows[row][2], 10});
  }
  add_prose(page, 60, 560, 5);
  const std::string text = markdown_of(page);
  expect_has(text, "| Invoice No: | #INV03051 |\n| --- | --- |\n| Invoice Date: | 10/18/18 |");
  expect_lacks(text, "| BILL TO");
}

/// A grid of four columns; the last three have no lines in shaded rows.
TEST(PageBills, ANumberInARowWithoutLinesStandsInTheColumnOfItsLike) {
  PdfPage page;
  page.drawing = "0.8 w ";
  for (int row = 0; row < 7; ++row) {
    const double y = 700 - 24.0 * row;
    const bool shaded = row == 4;
    page.drawing += shaded ? frame(60, y, 160, 24) + frame(220, y, 300, 24)
                           : frame(60, y, 160, 24) + frame(220, y, 100, 24) +
                                 frame(320, y, 100, 24) + frame(420, y, 100, 24);
    page.lines.push_back({64, y + 8, row ? "Share " + std::to_string(row) : "Share", 9});
    for (int c = 0; c < (row ? 1 : 3); ++c)
      page.lines.push_back(line_ending(314 + 100 * c, y + 8,
                                       row ? "$1" + std::to_string(row) : std::to_string(2024 + c),
                                       "F1", 9));
  }
  const std::string text = markdown_of(page);
  expect_has(text, "| Share 4 | $14 |  |  |");
}

/// Rules around the items of a bill, whose amounts end with the sign of their money.
TEST(PageBills, ASignOfMoneyBehindItsNumberJoinsNoOther) {
  PdfPage page;
  add_prose(page, 60, 740, 5);
  page.drawing = "0.8 w " + frame(60, 640, 480, 20) + frame(60, 520, 480, 120);
  for (double x : {300, 380, 460}) page.drawing += rectangle("f", x, 640, 0.8, 20);
  const char* const rows[][4] = {{"Article", "Count", "Each", "Price"},
                                 {"Notice in the paper", "1", "0,75 \x80", "0,75 \x80"},
                                 {"Proof of it", "2", "3,50 \x80", "7,00 \x80"},
                                 {"Another one", "1", "1,25 \x80", "1,25 \x80"}};
  for (int row = 0; row < 4; ++row) {
    const double y = 646 - 25.0 * row;
    page.lines.push_back({66, y, rows[row][0], 9});
    page.lines.push_back({306, y, rows[row][1], 9});
    page.lines.push_back({410, y, rows[row][2], 9});
    page.lines.push_back({495, y, rows[row][3], 9});
  }
  expect_has(markdown_of(page), "| Proof of it | 2 | 3,50 \u20ac | 7,00 \u20ac |");
}

/// Lines of a form whose numbers stand again before a box for the amount.
TEST(PageBills, TheNumbersInAFormsBoxesAreNoScale) {
  PdfPage page;
  add_prose(page, 60, 740, 5);
  add_prose(page, 60, 500, 5);
  const char* const lines[] = {"Tentative total tax", "Payments and credits", "Balance due"};
  for (int row = 0; row < 3; ++row) {
    const double y = 630 - 36.0 * row;
    const std::string number = std::to_string(row + 6);
    page.lines.push_back({60, y, number, 9, "F2"});
    page.lines.push_back({80, y, lines[row], 9});
    page.lines.push_back({455, y, number, 9, "F2"});
    page.drawing += rule(445, 560, y - 4);
  }
  for (double x : {445, 470, 540}) page.drawing += rectangle("f", x, 550, 0.6, 92);
  expect_has(markdown_of(page), "6\n\n7\n\n8");
}

/// A rule below each entry of a bank's statement, set in type of one width.
TEST(PageBills, TheGroupsOfAnAccountsNumberAreOneCell) {
  PdfPage page;
  add_prose(page, 60, 740, 5);
  for (int row = 0; row < 5; ++row) {
    const double y = 640 - 30.0 * row;
    const std::string n = std::to_string(row);
    page.drawing += rule(60, 560, y - 17);
    page.lines.push_back({60, y, "1" + n + "-09", 8, "F3"});
    page.lines.push_back({100, y, "NL1" + n + " RABO 032" + n + " 2648 59", 8, "F3"});
    page.lines.push_back({230, y, "R. KEIZER HOLDING", 8, "F3"});
    page.lines.push_back({230, y - 10, "Date: 1" + n + "-09-2017", 8, "F3"});
    page.lines.push_back(line_ending(560, y, "1" + n + ".000,00", "F3", 8));
  }
  page.drawing += rule(60, 560, 655);
  const std::string text = markdown_of(page);
  expect_has(text,
             "| 12-09 | NL12 RABO 0322 2648 59 | R. KEIZER HOLDING Date: 12-09-2017 | 12.000,00 |");
}

}  // namespace
}  // namespace docspec

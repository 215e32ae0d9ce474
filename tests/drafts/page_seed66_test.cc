// Pages that were misread in the draw of seed 66: court papers, contracts, invoices, forms.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::blocks_of;
using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rectangle;
using test::rule;
using test::text_width;

/// Three columns of 14 rows with rules between them, the last one of numbers that count.
TEST(PageSeed66, NumbersAtTheRightOfARuleAreNoScale) {
  PdfPage page;
  page.drawing =
      rectangle("f", 140, 560, 0.8, 200) + rectangle("f", 460, 560, 0.8, 200) + rule(54, 540, 560);
  for (int row = 0; row < 14; ++row) {
    const double y = 732 - 13.0 * row;
    page.lines.push_back({66, y, std::to_string(30 + row) + "a", 10});
    page.lines.push_back({144, y, "May 29, 1928, chapter 910, of the forty-fifth statutes", 10});
    page.lines.push_back(line_ending(517, y, std::to_string(201 + row), "F1", 10));
  }
  const std::string text = markdown_of(page);
  expect_has(text, "201");
  expect_has(text, "214");
}

PdfPage packet_format() {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 662, "no matter which.", 10});
  page.drawing = "0.8 w ";
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      page.drawing += frame(100 + 80 * column, 640 - 18 * row, 80, 18);
  page.drawing += frame(97, 601, 246, 60);
  const char* const cells[3][3] = {{"Type", "Request", "Hops"},
                                   {"Origin", "Origin zone", "Sequence"},
                                   {"Target", "Target zone", ""}};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back({106.0 + 80 * column, 645.0 - 18 * row, cells[row][column], 9});
  page.lines.push_back({180, 585, "Figure 2. Format of a packet", 9});
  add_prose(page, 72, 560, 6);
  return page;
}

TEST(PageSeed66, ATableAboveTheCaptionOfAFigureIsATable) {
  const std::string text = markdown_of(packet_format());
  expect_has(text, "| Type | Request | Hops |");
  expect_has(text, "usually no matter which.");
}

TEST(PageSeed66, HeadingsNumberedInLevelsAbovePlainText) {
  PdfPage page;
  double y = 740;
  for (const char* name :
       {"3.1  Certification", "3.2  Warranty Requirements", "3.3  Special Offers"}) {
    page.lines.push_back({72, y, name, 10});
    add_prose(page, 72, y - 13, 3);
    y -= 70;
  }
  const std::string text = markdown_of(page);
  expect_has(text, "# 3.1 Certification");
  expect_has(text, "# 3.3 Special Offers");
}

TEST(PageSeed66, ABoldSentenceWithANumberAbovePlainTextIsAHeading) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back(
      {72, 650, "II.  The judgment must be mended, for it names another crime.", 10, "F2"});
  add_prose(page, 72, 630, 6);
  expect_has(markdown_of(page), "# II. The judgment must be mended, for it names another crime.");
}

TEST(PageSeed66, ABoldItemBetweenItemsIsAnItem) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  page.lines.push_back({90, 660, "(a)  Social engineering;", 10, "F2"});
  page.lines.push_back({90, 647, "(b)  Reverse engineering; or", 10, "F2"});
  page.lines.push_back({90, 634, "(c)  Loss of a transfer of funds;", 10, "F2"});
  add_prose(page, 72, 605, 5);
  expect_lacks(markdown_of(page), "# (b)");
}

TEST(PageSeed66, StarsOfSeveralNotesAreNoBullets) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  page.lines.push_back({72, 650, "* with the tax of the state", 10});
  page.lines.push_back({72, 637, "** without any other tax", 10});
  expect_lacks(markdown_of(page), "- with the tax");
}

TEST(PageSeed66, AddressesOfTheNetAndTelephonesStandOnLinesOfTheirOwn) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 640, "123 Madison drive, Seattle, WA, 7829Q", 10});
  page.lines.push_back({72, 627, "www.plumbing.example", 10});
  page.lines.push_back({72, 614, "990-120-4560", 10});
  add_prose(page, 72, 580, 6);
  expect_has(markdown_of(page), "7829Q  \nwww.plumbing.example  \n990-120-4560");
}

TEST(PageSeed66, APageNumberRightBelowTheTextIsNotOfIt) {
  PdfPage page;
  add_prose(page, 72, 740, 30,
            "a line of words that runs on from the left margin of the page to the right one");
  const double middle = 306 - text_width("18", "F1", 10) / 2;
  page.lines.push_back({middle, 740 - 13 * 30, "18", 10});
  page.lines.push_back({72, 60, "Source: a quarterly report, 2019", 8});
  expect_lacks(markdown_of(page), "18");
}

/// The paper of a court: 28 numbers, and lines that are not level with them.
TEST(PageSeed66, TheNumbersOfACourtsPaperAreNotOfTheText) {
  PdfPage page;
  for (int i = 1; i <= 28; ++i)
    page.lines.push_back(line_ending(86, 740 - 23.4 * i, std::to_string(i), "F4", 12));
  for (int row = 0; row < 26; ++row)
    page.lines.push_back({104, 722 - 24.6 * row, "by the parties", 12, "F4"});
  const std::string text = markdown_of(page);
  expect_lacks(text, "1  \n2");
  expect_lacks(text, "28");
}

TEST(PageSeed66, TwoLinesOfALabelAreOneRow) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const std::vector<std::tuple<double, std::string, std::string>> rows = {
      {640, "SUBTOTAL", "818.00"},      {624, "DISCOUNT", "16.00"}, {608, "SUBTOTAL", ""},
      {597, "LESS DISCOUNT", "802.00"}, {581, "TAX", "64.16"},      {565, "BALANCE DUE", "866.16"}};
  for (const auto& [y, label, value] : rows) {
    page.lines.push_back(line_ending(420, y, label, "F1", 9));
    if (!value.empty()) page.lines.push_back(line_ending(500, y, value, "F1", 9));
  }
  expect_has(markdown_of(page), "| SUBTOTAL LESS DISCOUNT | 802.00 |");
}

/// Every second row is shaded; one of them is four lines high.
TEST(PageSeed66, TheRowsBesideShadeAreOfTheTable) {
  PdfPage page;
  const auto add = [&](double y, const char* name, const char* price) {
    page.lines.push_back({60, y, name, 9});
    page.lines.push_back(line_ending(400, y, "1", "F1", 9));
    page.lines.push_back(line_ending(460, y, price, "F1", 9));
    page.lines.push_back(line_ending(500, y, "21%", "F1", 9));
    page.lines.push_back(line_ending(560, y, price, "F1", 9));
  };
  page.drawing = "0.9 0.94 0.97 rg " + rectangle("f", 40, 570, 540, 49) +
                 rectangle("f", 40, 535, 540, 17) + rectangle("f", 40, 501, 540, 17) + "0 g ";
  page.lines.push_back({60, 642, "Article", 9, "F2"});
  page.lines.push_back(line_ending(400, 642, "Count", "F2", 9));
  page.lines.push_back(line_ending(460, 642, "Each", "F2", 9));
  page.lines.push_back(line_ending(500, 642, "VAT", "F2", 9));
  page.lines.push_back(line_ending(560, 642, "Price", "F2", 9));
  add(625, "A sleeve of leather for a small machine in brown", "99.99");
  add(608, "A machine with a mouse", "2,321.00");
  page.lines.push_back({70, 596, "with a mouse", 9});
  page.lines.push_back({70, 585, "and its licence", 9});
  page.lines.push_back({70, 574, "for a year", 9});
  add(557, "A suite of programs for a student", "124.99");
  add(540, "A replicator of ports", "159.99");
  add(523, "A machine for games", "1,999.00");
  add(506, "A bag", "79.99");
  add(489, "A case that is barely there for a telephone", "19.99");
  add_prose(page, 60, 420, 5);
  const std::string text = markdown_of(page);
  expect_has(text, "A sleeve of leather for a small machine in brown | 1 | 99.99 | 21% | 99.99 |");
  expect_has(text, "| Article | Count | Each | VAT | Price |");
}

TEST(PageSeed66, AColumnOfTextBesideATableIsNoneOfIt) {
  PdfPage page;
  const std::string narrow = "plain words of a column of text";
  for (int row = 0; row < 26; ++row) page.lines.push_back({72, 740 - 13.0 * row, narrow, 10});
  const char* const facts[][2] = {{"Maker", "many people"}, {"Version", "4.7.2"},
                                  {"Kernel", "monolith"},   {"Machines", "DEC, ARC, ARM"},
                                  {"", "Hexagon, MIPS"},    {"Licence", "GPL"}};
  for (int row = 0; row < 6; ++row) {
    page.lines.push_back({330, 640 - 13.0 * row, facts[row][0], 10, "F2"});
    page.lines.push_back({420, 640 - 13.0 * row, facts[row][1], 10});
  }
  expect_lacks(markdown_of(page), "| " + narrow);
}

TEST(PageSeed66, NumberedLinesInAFrameAreNoChart) {
  PdfPage page;
  page.drawing =
      rectangle("f", 90, 60, 1, 700) + rectangle("f", 560, 60, 1, 700) + rule(90, 560, 60);
  for (int i = 1; i <= 28; ++i)
    page.lines.push_back(line_ending(84, 750 - 24.0 * i, std::to_string(i), "F4", 12));
  for (int row = 0; row < 22; ++row)
    page.lines.push_back(
        {104, 730 - 29.3 * row, "that the party must not use what it has", 12, "F4"});
  expect_has(markdown_of(page), "that the party must not use what it has");
}

}  // namespace
}  // namespace docspec

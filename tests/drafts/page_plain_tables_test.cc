// Tables that no rules part into cells: a bill of one item below ruled heads, heads over one row of
// values, ruled rows of three lines, totals below the last rule; and lists beside each other.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"
#include "tests/support/font_widths.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::line_ending;
using test::markdown_of;
using test::PdfPage;
using test::rule;

/// Numbers and dates of a bill, below them two addresses side by side.
PdfPage bill_head() {
  PdfPage page;
  page.lines = {{40, 740, "Receipt", 18, "F2"}};
  const char* const labels[] = {"Invoice number", "Receipt number", "Date paid"};
  const char* const values[] = {"87437-0152", "2721-5058", "19.07.2024"};
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({40, 700.0 - 13.5 * row, labels[row], 9});
    page.lines.push_back({130, 700.0 - 13.5 * row, values[row], 9});
  }
  page.lines.push_back({40, 645, "Brook Ltd", 9, "F2"});
  page.lines.push_back({250, 645, "Bill to", 9, "F2"});
  page.lines.push_back({40, 631.5, "272 Hill Street", 9});
  page.lines.push_back({250, 631.5, "ann@example.org", 9});
  page.lines.push_back({40, 618, "Oxford OX4", 9});
  page.lines.push_back({40, 604.5, "United Kingdom", 9});
  return page;
}

TEST(PlainTables, ABillOfOneItemBelowRuledHeadsIsATableWithItsTotals) {
  PdfPage page = bill_head();
  for (const auto& [x, head] : {std::pair{430.0, "Qty"}, {500.0, "Unit price"}, {560.0, "Amount"}})
    page.lines.push_back(line_ending(x, 540, head, "F1", 9));
  page.lines.push_back({40, 540, "Description", 9});
  page.drawing = rule(40, 560, 532);
  page.lines.push_back({40, 518, "Ten dollars a month", 9});
  page.lines.push_back({40, 505, "Jul 19 to Aug 19", 9});
  for (const auto& [x, value] : {std::pair{430.0, "1"}, {500.0, "$10.00"}, {560.0, "$10.00"}})
    page.lines.push_back(line_ending(x, 518, value, "F1", 9));
  const char* const totals[] = {"Subtotal", "Total"};
  for (int row = 0; row < 2; ++row) {
    page.lines.push_back({310, 475.0 - 20 * row, totals[row], 9});
    page.lines.push_back(line_ending(560, 475.0 - 20 * row, "$10.00", "F1", 9));
  }
  const std::string text = markdown_of(page);
  expect_has(text, "| Description | Qty | Unit price | Amount |");
  expect_has(text, "| Ten dollars a month Jul 19 to Aug 19 | 1 | $10.00 | $10.00 |");
  expect_has(text, "| Subtotal |  |  | $10.00 |\n| Total |  |  | $10.00 |");
}

TEST(PlainTables, AddressesFarBelowATableAreNotOfIt) {
  const std::string text = markdown_of(bill_head());
  expect_has(text, "| Receipt number | 2721-5058 |");
  expect_lacks(text, "| Brook");
  expect_has(text, "Hill Street");
}

/// A row of texts, each centred at its place.
void add_centred(PdfPage& page, double y, const std::vector<const char*>& texts,
                 const std::string& font) {
  const double middles[] = {130, 300, 470};
  for (size_t c = 0; c < texts.size(); ++c)
    page.lines.push_back(
        {middles[c] - test::text_width(texts[c], font, 9) / 2, y, texts[c], 9, font});
}

TEST(PlainTables, BoldHeadsCentredOverOneRowAreATable) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  add_centred(page, 660, {"Title of class", "Trading symbol", "Name of the exchange"}, "F5");
  add_centred(page, 648, {"Common stock, one cent", "A", "New York Exchange"}, "F4");
  add_prose(page, 72, 620, 4);
  expect_has(markdown_of(page),
             "| Title of class | Trading symbol | Name of the exchange |\n| --- | --- | --- |\n"
             "| Common stock, one cent | A | New York Exchange |");
}

TEST(PlainTables, NamesOverPlacesAreNoTable) {
  PdfPage page;
  add_centred(page, 700, {"Ann Brook", "Bea Hill", "Cleo Underwood"}, "F5");
  add_centred(page, 688, {"University of Oxford", "Technical University", "Institute of Art"},
              "F4");
  add_prose(page, 72, 650, 8);
  expect_lacks(markdown_of(page), "|");
}

TEST(PlainTables, ThreeUnderlinedHeadsOverProseAreNoTable) {
  PdfPage page;
  for (int c = 0; c < 3; ++c) {
    const double x = 60 + 180.0 * c;
    page.lines.push_back({x, 700, "Heading", 10, "F2"});
    page.drawing += rule(x, x + 45, 697);
    for (int row = 0; row < 8; ++row)
      page.lines.push_back({x, 685.0 - 12 * row, "the words of one column of text", 9});
  }
  expect_lacks(markdown_of(page), "|");
}

TEST(PlainTables, ARuledRowOfThreeLinesIsOfTheTable) {
  PdfPage page;
  const auto row = [&](double y, const char* label, std::vector<const char*> lines) {
    page.lines.push_back({60, y, label, 9});
    for (const char* line : lines) page.lines.push_back({150, y, line, 9}), y -= 12;
  };
  row(700, "Kind", {"Where points are given"});
  row(680, "Coffee",
      {"the first house by the bridge, the one at", "the corner of the old market and the inn",
       "of the station"});
  row(636, "Bread", {"two bakers"});
  row(616, "Market", {"all of them"});
  for (const double y : {712.0, 692.0, 648.0, 628.0, 608.0}) page.drawing += rule(58, 340, y);
  add_prose(page, 58, 580, 4);
  const std::string text = markdown_of(page);
  expect_has(text, "| Kind | Where points are given |");
  expect_has(text, "| Bread | two bakers |");
}

TEST(PlainTables, TotalsBelowTheLastRuleAreOfTheTable) {
  PdfPage page;
  const auto row = [&](double y, const char* label, int value) {
    page.lines.push_back({60, y, label, 9});
    for (int c = 0; c < 4; ++c)
      page.lines.push_back({180 + 70.0 * c, y, std::to_string(value + 11 * c), 9});
  };
  page.drawing = rule(58, 440, 716);
  row(700, "Murder", 124);
  row(688, "Robbery", 207);
  row(676, "Burglary", 316);
  page.drawing += rule(58, 440, 671);
  row(660, "TOTAL", 647);
  add_prose(page, 58, 630, 4);
  expect_has(markdown_of(page), "| TOTAL | 647 | 658 | 669 | 680 |");
}

TEST(PlainTables, ContentsInColumnsAreNoTable) {
  PdfPage page;
  const char* const names[] = {"Review", "Strategy", "Directors", "Model", "People", "Risks"};
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 6; ++r)
      page.lines.push_back({60 + 170.0 * c, 700.0 - 16 * r,
                            std::to_string(2 + 40 * c + 4 * r) + " " + names[(r + c) % 6], 9});
  expect_lacks(markdown_of(page), "|");
}

TEST(PlainTables, ContentsOfLongNamesAreReadRowByRow) {
  PdfPage page;
  page.lines.push_back(line_ending(540, 712, "Page", "F1", 9));
  const char* const names[] = {"Business",
                               "Unresolved comments that the staff made on what was filed here",
                               "Properties",
                               "Market for the common equity and the purchases of securities",
                               "Changes in and disagreements with those who count the money",
                               "Other Information"};
  for (int row = 0; row < 6; ++row) {
    const double y = 700.0 - 10.5 * (row + (row > 2));
    page.lines.push_back({60, y, "Item " + std::to_string(1 + row), 9});
    page.lines.push_back({120, y, names[row], 9});
    page.lines.push_back(line_ending(540, y, std::to_string(3 + 11 * row), "F1", 9));
  }
  page.lines.push_back({290, 668.5, "PART II", 9});
  const std::string text = markdown_of(page);
  expect_has(text, "| Item 1 | Business | 3 |\n");
  expect_has(text, "| Item 3 | Properties | 25 |\n|  | PART II |  |\n");
  expect_has(text, "| Item 6 | Other Information | 58 |");
}

}  // namespace
}  // namespace docspec

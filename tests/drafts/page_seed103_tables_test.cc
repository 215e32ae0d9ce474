// What was misread in tables of real pages (seed 103): heads over pairs of columns, above the grid.
// And in lines of text: columns next to a large number, brackets of TeX.
#include <gtest/gtest.h>

#include "core/input/letters/tex_letters.h"
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

/// A table of pairs of columns, whose heads have rules, with `years` over some of the pairs.
PdfPage pairs_below(const std::vector<std::string>& years) {
  PdfPage page;
  add_prose(page, 72, 740, 10);
  const std::string rows[][5] = {{"Class", "Tons", "Part", "Tons", "Part"},
                                 {"Primary goods", "663", "2.5", "478", "1.9"},
                                 {"Other goods", "232", "0.9", "241", "0.9"},
                                 {"Goods of all kinds", "895", "3.4", "718", "2.8"},
                                 {"Exports", "1232", "8.9", "1241", "9.9"}};
  double y = 590;
  for (size_t k = 0; k < years.size(); ++k)
    page.lines.push_back({265 + 140 * double(k), y + 15, years[k], 10});
  for (const auto& row : rows) {
    page.lines.push_back({72, y, row[0], 10});
    for (int c = 1; c < 5; ++c)
      page.lines.push_back(line_ending(180 + 70 * c, y, row[c], "F1", 10));
    page.drawing += rule(72, 462, y - 4);
    y -= 15;
  }
  add_prose(page, 72, 460, 10);
  return page;
}

TEST(PageSeed103Tables, HeadsThatShareAllColumnsOfNumbersAreOfATableWithAHeadOverItsLabels) {
  expect_has(markdown_of(pairs_below({"2001", "2002"})),
             "<td colspan=\"2\">2001</td><td colspan=\"2\">2002</td>");
  expect_lacks(markdown_of(pairs_below({"2001"})), "colspan");
}

TEST(PageSeed103Tables, SmallLettersOfTexsSymbolsAreItsBrackets) {
  EXPECT_EQ(tex_letter("CMSY10", 'h').letter, 0x27E8u);
  EXPECT_EQ(tex_letter("CMSY9", 'i').letter, 0x27E9u);
  EXPECT_EQ(tex_letter("CMMI10", 'h').letter, 0u);
}

}  // namespace
}  // namespace docspec

// What was misread on papers, scans and pages of the Web (seed 98): notes with addresses, words
// under headers, rows of authors, emphasis within paragraphs.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed98, ARaisedMarkBeforeAnAddressNumbersNoLineOfCode) {
  PdfPage page;
  add_prose(page, 72, 700, 40);
  page.lines.push_back({72, 147, "1", 5});
  page.lines.push_back({77, 144, "https://example.org/tides-and-harbours", 8, "F3"});
  page.lines.push_back({72, 137, "2", 5});
  page.lines.push_back({77, 134, "The harbours are all in the north, where tides are low.", 8});
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "https://example.org/tides-and-harbours");
  expect_has(markdown, "² The harbours are all in the north");
}

TEST(PageSeed98, TheFirstLineOfTheTextBelowAHeaderInAnotherFontIsNoHeader) {
  PdfPage page;
  page.lines.push_back({72, 760, "Homework of the course", 10, "F2"});
  page.lines.push_back({530, 753, "10", 10, "F4"});
  page.lines.push_back({72, 735, "and so the first line ends here.", 10, "F4"});
  for (int row = 0; row < 20; ++row)
    page.lines.push_back({72, 690 - 13.0 * row, test::kProse, 10, "F4"});
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "and so the first line ends here.");
  expect_lacks(markdown, "Homework");
}

TEST(PageSeed98, ANumberAndANameAtBothEndsAreAHeaderAboveSmallReferences) {
  PdfPage page;
  page.lines.push_back({72, 700, "28", 10, "F4"});
  page.lines.push_back(test::line_ending(420, 700, "P. W. SHORE", "F4", 10));
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 665 - 10.0 * row, test::kProse + " and a few words more", 8, "F4"});
  const std::string markdown = markdown_of(page);
  expect_lacks(markdown, "SHORE");
  expect_lacks(markdown, "28");
}

TEST(PageSeed98, ASmallStampAtTheFootIsNoParagraphHoweverFarParagraphsAreApart) {
  PdfPage page;
  for (int paragraph = 0; paragraph < 19; ++paragraph)
    for (const double y : {740.0, 728.0})
      page.lines.push_back({72, y - 36 * paragraph, test::kProse + ".", 10, "F4"});
  page.lines.push_back({80, 57,
                        "Use is limited to the readers of this library. Some restrictions apply to "
                        "them, and to others as well",
                        6, "F1"});
  expect_lacks(markdown_of(page), "restrictions");
}

TEST(PageSeed98, APageNumberStandsInTheMiddleOfATextThatIsNotInThatOfThePage) {
  PdfPage page;
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 740 - 13.0 * row, test::kProse, 10, "F4"});
  const double end = 72 + test::text_width(test::kProse, "F4", 10);
  page.lines.push_back({(72 + end) / 2 - 3, 208, "5", 10, "F4"});
  const std::string markdown = markdown_of(page);
  EXPECT_EQ(markdown.find('5'), markdown.npos) << markdown.substr(markdown.size() - 60);
}

TEST(PageSeed98, AJournalsImprintInATypeOfItsOwnNeedsNoWhiteBelow) {
  PdfPage page;
  page.lines.push_back(
      {60, 760, "Reed et al. Journal of Northern Harbours and Tides ISSN: 1234-5678, Vol. 3,", 12,
       "F1"});
  page.lines.push_back({270, 748, "pp. 65-69", 12, "F1"});
  for (int row = 0; row < 40; ++row)
    page.lines.push_back({72, 736 - 13.0 * row, test::kProse, 10, "F4"});
  const std::string markdown = markdown_of(page);
  expect_lacks(markdown, "ISSN");
  expect_lacks(markdown, "pp. 65");
}

}  // namespace
}  // namespace docspec

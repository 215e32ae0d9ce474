// Pages that were misread in the draw of seed 61: listings whose letters stand apart, prose typed
// in a typewriter's font, drawings with labels above their captions, values centred under two
// heads, labels of two lines, rows stretched to their column, rules from edge to edge.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::kProse;
using test::markdown_of;
using test::PdfPage;
using test::rule;

/// A line of code as TeX's listings sets it: each word's letters begin `pitch` points apart.
void add_spread(PdfPage& page, double x, double y, const std::string& text, double pitch) {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool bracket = text[i] == '(' || text[i] == ')';
    const std::string letter = (bracket ? "\\" : "") + std::string(1, text[i]);
    if (text[i] != ' ') page.lines.push_back({x + pitch * double(i), y, letter, 9, "F3"});
  }
}

TEST(PageSeed61, AListingWhoseLettersStandApartKeepsItsWords) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const code[] = {"import layout as lp", "image = cv2.imread(\"file\")",
                              "model = lp.Detector2Model(", "    \"lp://Net/rcnn_R_50\")",
                              "found = model.detect(image)"};
  for (int row = 0; row < 5; ++row) add_spread(page, 80, 660.0 - 12 * row, code[row], 6.3);
  add_prose(page, 72, 580, 4);
  const std::string text = markdown_of(page);
  for (const char* line : code) expect_has(text, line);
}

TEST(PageSeed61, ProseInATypewritersFontIsNoCode) {
  PdfPage page;
  const char* const rows[] = {
      "The generator is located in the secure area of the site in the panel",
      "and the link that is generated contains an individual number of the",
      "affiliate by means of which any sales can be attributed to the user.",
      "If the links do not function, no compensation for advertising costs",
      "will be paid by the company to the partner or to the participant of",
      "the program as the responsibility for technical integration is his.",
      "The affiliate should be aware that product prices may change at any"};
  for (int row = 0; row < 14; ++row)
    page.lines.push_back({72, 720.0 - 12 * row, rows[row % 7], 10, "F3"});
  const std::string text = markdown_of(page);
  expect_lacks(text, "```");
  expect_lacks(text, "`");
  expect_has(text, "in the panel and the link that");
}

TEST(PageSeed61, AListingStaysCode) {
  PdfPage page;
  const char* const rows[] = {"for item in folder:", "    print(item.name, item.size)",
                              "    total += item.size  # of all that was read so far",
                              "if total > limit:", "    raise ValueError(\"too large for this\")"};
  for (int row = 0; row < 15; ++row)
    page.lines.push_back({72, 720.0 - 12 * row, rows[row % 5], 10, "F3"});
  expect_has(markdown_of(page), "```\nfor item in folder:\n    print(item.name, item.size)");
}

/// Three boxes with arrows between them, and a name in each.
PdfPage drawn_figure(const std::string& caption) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const names[] = {"Crawling", "Parsing", "Clustering"};
  for (int box = 0; box < 3; ++box) {
    const double y = 600.0 - 60 * box;
    page.drawing += "2 w " + test::frame(150, y, 120, 36) + "1 w\n";
    page.lines.push_back({175, y + 14, names[box], 10});
    if (box < 2)
      page.drawing += "210 " + std::to_string(y) + " m 210 " + std::to_string(y - 24) + " l S\n";
  }
  page.lines.push_back({72, 455, caption, 10});
  add_prose(page, 72, 430, 6);
  return page;
}

TEST(PageSeed61, ADrawingAboveItsCaptionIsAPicture) {
  const std::string text = markdown_of(drawn_figure("Figure 4: The parts of the system."));
  expect_has(text, "Figure 4: The parts of the system.");
  expect_lacks(text, "Crawling");
  expect_lacks(text, "Clustering");
}

TEST(PageSeed61, BoxesWithoutACaptionKeepTheirText) {
  expect_has(markdown_of(drawn_figure("These are the parts of it.")), "Crawling");
}

TEST(PageSeed61, AValueCentredUnderTwoHeadsSpansThem) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.drawing += rule(72, 470, 660) + rule(72, 470, 628) + rule(72, 470, 500) +
                  rule(230, 330, 644) + rule(350, 470, 644);
  page.lines.push_back({80, 640, "Model", 10});
  page.lines.push_back({268, 648, "BLEU", 10});
  page.lines.push_back({378, 648, "Training cost", 10});
  for (const auto& [x, head] : {std::pair(240.0, "EN-DE"), std::pair(298.0, "EN-FR"),
                                std::pair(360.0, "EN-DE"), std::pair(430.0, "EN-FR")})
    page.lines.push_back({x, 633, head, 10});
  const char* const names[] = {"GNMT", "ConvS2S", "MoE", "ByteNet", "Ensemble"};
  for (int row = 0; row < 5; ++row) {
    const double y = 616 - 14.0 * row;
    page.lines.push_back({80, y, names[row], 10});
    page.lines.push_back({244, y, "24." + std::to_string(row), 10});
    page.lines.push_back({302, y, "39." + std::to_string(row), 10});
    page.lines.push_back({362, y, "2." + std::to_string(row) + "e19", 10});
    page.lines.push_back({432, y, "1." + std::to_string(row) + "e20", 10});
  }
  for (int row = 0; row < 3; ++row) {
    const double y = 546 - 14.0 * row;
    page.lines.push_back({80, y, "Transformer " + std::to_string(row), 10});
    page.lines.push_back({244, y, "27." + std::to_string(row), 10});
    page.lines.push_back({302, y, "38." + std::to_string(row), 10});
    page.lines.push_back({388, y, "3.3e18 of it", 10});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "<td>2.0e19</td><td>1.0e20</td>");
  expect_has(text, "<td colspan=\"2\">3.3e18 of it</td>");
}

TEST(PageSeed61, ALabelOfTwoLinesIsOneRowWithItsValues) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.drawing += rule(72, 520, 660) + rule(72, 520, 640) + rule(72, 520, 480);
  page.lines.push_back({76, 646, "Measure", 9});
  for (int column = 0; column < 4; ++column)
    page.lines.push_back({290.0 + 60 * column, 646, "199" + std::to_string(column), 9});
  for (int row = 0; row < 4; ++row) {
    const double y = 622 - 36.0 * row;
    page.lines.push_back({76, y, "Inequality between the states in", 9});
    page.lines.push_back({76, y - 11, "premature mortality " + std::to_string(row), 9});
    for (int column = 0; column < 4; ++column)
      page.lines.push_back({290.0 + 60 * column, y - 5.5, "0." + std::to_string(100 + column), 9});
  }
  expect_has(markdown_of(page),
             "| Inequality between the states in premature mortality 2 | 0.100 | 0.101 |");
}

TEST(PageSeed61, ARowThatFillsItsColumnIsOneLine) {
  PdfPage page;
  const std::string address = "https://www.example.org/news/of/the/year/2024";
  for (int row = 0; row < 8; ++row)  // in Courier all rows end where the address does
    page.lines.push_back(
        {72, 740.0 - 13 * row, "plain words of prose that fill the column with let", 10, "F3"});
  page.lines.push_back({72, 630, "URL", 10, "F3"});
  page.lines.push_back({72 + 6.0 * 5, 630, address, 10, "F3"});
  expect_has(markdown_of(page), "URL " + address);
}

TEST(PageSeed61, ARuleFromEdgeToEdgeEndsTheColumns) {
  PdfPage page;
  const std::string narrow = "words of a narrow column here";
  page.lines.push_back({60, 730, "Proposed Rules", 18, "F2"});
  page.lines.push_back({410, 735, "Federal Register", 9});
  page.lines.push_back({410, 720, "Thursday, August 6", 9});
  page.drawing += rule(60, 560, 705);
  for (int column = 0; column < 3; ++column)
    add_prose(page, 60 + 175.0 * column, 680, 30, "c" + std::to_string(column) + " " + narrow);
  const std::string text = markdown_of(page);
  EXPECT_LT(text.find("Thursday, August 6"), text.find("c0 words")) << text;
}

TEST(PageSeed61, ALabelInBoldBeginsAParagraph) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back(
      {72, 688, "to address the unsafe condition on these products of all makers.", 10});
  page.lines.push_back({72, 675, "DATES:", 10, "F2"});
  page.lines.push_back({112, 675, "The office must receive comments by the day that is named", 10});
  add_prose(page, 72, 662, 4);
  expect_has(markdown_of(page), "of all makers.\n\n**DATES**: The office");
}

TEST(PageSeed61, WhatABrowserPrintsAtTheEdgeTakesNoTextAlong) {
  PdfPage page;
  page.lines.push_back({40, 765, "README.md", 7});
  page.lines.push_back({520, 765, "11/6/2019", 7});
  page.lines.push_back({44, 735, "To install it, follow the steps for your environment:", 10});
  page.lines.push_back({60, 708, "\x95 Under one distribution of it:", 10});
  add_prose(page, 72, 660, 20);
  const std::string text = markdown_of(page);
  expect_has(text, "To install it");
  expect_has(text, "Under one distribution");
  expect_lacks(text, "README");
}

TEST(PageSeed61, EntriesWithNumbersOfOneFormStayLines) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const names[] = {"Holdings, LLC", "Entertainment Resorts, Inc.",
                               "Entertainment Resorts Holding, L.P.", "Marina Associates, LLC"};
  for (int row = 0; row < 4; ++row)
    page.lines.push_back(
        {144, 660.0 - 18 * row, "09-1365" + std::to_string(4 + row) + " - " + names[row], 10});
  expect_has(markdown_of(page), "Holdings, LLC  \n09-13655");
}

TEST(PageSeed61, TheNumberOfASectionStandsBeforeAWideBlank) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back({194, 670, "Section 6.", 10, "F2"});
  page.lines.push_back({270, 670, "REPRESENTATIONS AND WARRANTIES", 10, "F2"});
  add_prose(page, 72, 640, 4);
  expect_has(markdown_of(page), "# Section 6. REPRESENTATIONS AND WARRANTIES");
}

TEST(PageSeed61, VersesStayLines) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  const char* const verses[] = {
      "Yea, from the table of my memory", "All saws of books, all forms, all past",
      "That youth and observation copied", "And thy commandment all alone shall",
      "Within the book and volume of it"};
  for (int row = 0; row < 5; ++row) page.lines.push_back({100, 640.0 - 13 * row, verses[row], 10});
  expect_has(markdown_of(page), "of my memory  \nAll saws of books");
}

TEST(PageSeed61, ALongRunningHeadEndsInThePagesNumber) {
  PdfPage page;
  page.lines.push_back(
      {72, 756, "Submission to the first workshop on applied software, June 2006 (by those named)",
       10});
  page.lines.push_back({520, 756, "6", 10});
  add_prose(page, 72, 725, 40, kProse + " and it goes on and on");
  const std::string text = markdown_of(page);
  expect_lacks(text, "Submission");
  expect_lacks(text, "6");
}

TEST(PageSeed61, TheSmallImprintRightBelowTheTextIsAFooter) {
  PdfPage page;
  for (int row = 0; row < 48; ++row) page.lines.push_back({72, 740.0 - 14 * row, kProse, 11});
  page.lines.push_back({250, 68, "Transactions on Systems, Vol. 3, No. 1, February", 8});
  expect_lacks(markdown_of(page), "Transactions");
}

TEST(PageSeed61, WhatIsCountedWithinASentenceIsNoItem) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  page.lines.push_back(
      {72, 680, "3. The master adds a server, which takes a time for (i) how much and", 10});
  page.lines.push_back(
      {86, 667, "(ii) the network that is available for all that is to be copied to it.", 10});
  add_prose(page, 72, 640, 4);
  expect_has(markdown_of(page), "(i) how much and (ii) the network");
}

TEST(PageSeed61, WordsThatHaveAPageToThemselvesAreItsText) {
  PdfPage page;
  page.lines.push_back({72, 715, "This is page one.", 12});
  page.lines.push_back({300, 40, "1", 12});
  expect_has(markdown_of(page), "This is page one.");
}

}  // namespace
}  // namespace docspec

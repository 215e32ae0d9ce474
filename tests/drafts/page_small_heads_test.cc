// Pages that were misread in the draw of seed 56: small headings, bold fonts whose names do not
// tell, rules that were typed.
#include <gtest/gtest.h>

#include <cstring>

#include "drafts/text/bold_fonts.h"
#include "drafts/text/typed_rules.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSmallHeads, ASmallBoldLineAboveSmallTextHeadsIt) {
  PdfPage page;
  add_prose(page, 72, 740, 20);
  page.lines.push_back({72, 440, "Competing interests", 8, "F2"});
  page.lines.push_back(
      {72, 430, "The authors declare that they have none, as all of them have said.", 7.5});
  page.lines.push_back({72, 421, "They have also read the text.", 7.5});
  expect_has(markdown_of(page), "# Competing interests\n");
}

TEST(PageSmallHeads, ASmallerHeadingBelowAnotherIsOfItsOwn) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  page.lines.push_back({72, 610, "Methods", 12, "F2"});
  page.lines.push_back({72, 597, "Setting", 10.5, "F2"});
  add_prose(page, 72, 584, 8);
  const std::string text = markdown_of(page);
  expect_has(text, "# Methods\n");
  expect_has(text, "# Setting\n");
}

TEST(PageSmallHeads, BoldLinesThatBeginSmallAreNone) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  page.lines.push_back({72, 610, "end for", 10, "F2"});
  add_prose(page, 72, 580, 8);
  expect_lacks(markdown_of(page), "# end for");
}

TEST(PageSmallHeads, TheHeadingOfWhatSpansTwoColumnsFollowsThem) {
  PdfPage page;
  const std::string half = "a line of plain words of half a page";
  add_prose(page, 72, 740, 12, half);
  add_prose(page, 320, 740, 12, half);
  page.lines.push_back({72, 562, "Additional Features", 10, "F2"});
  add_prose(page, 72, 548, 6, test::kProse + " " + half);
  page.lines[12].text = "Right column";
  const std::string text = markdown_of(page);
  ASSERT_NE(text.find("Right column"), text.npos);
  EXPECT_LT(text.find("Right column"), text.find("Additional Features"));
}

TEST(PageSmallHeads, InitialsOpenNoItem) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  page.lines.push_back({72, 610, "S. Kolb, C. Sturm (Eds.): the eleventh workshop", 10});
  expect_lacks(markdown_of(page), "- S. Kolb");
}

TEST(PageSmallHeads, ACitationThatOpensALineIsNoItem) {
  PdfPage page;
  page.lines.push_back(
      {72, 753, "[8] offers little help to those who need it, as we have seen", 10});
  add_prose(page, 72, 740, 8);
  expect_lacks(markdown_of(page), "- [8]");
}

TEST(PageSmallHeads, NumbersWithoutPointsStayWithTheirEntries) {
  PdfPage page;
  const std::string half = "a line of plain words of half a page";
  add_prose(page, 72, 740, 24, half);
  for (int entry = 0; entry < 5; ++entry) {
    const double y = 740 - 34.0 * entry;
    page.lines.push_back({305, y, std::to_string(entry + 1), 7.5});
    page.lines.push_back(
        {319, y, "Bergmann, R., Liljefors, T. and Zamora, I. (2009) The ships", 7.5});
    page.lines.push_back(
        {319, y - 9, "of the north and the wind of the harbours that they went to", 7.5});
    page.lines.push_back({319, y - 18, "and came from. Ships 49, 658", 7.5});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "2 Bergmann");
  expect_has(text, "5 Bergmann");
}

TEST(PageSmallHeads, ALineInItsOwnFontFarAboveTheTextRunsThere) {
  const auto text_with = [](const std::string& head, const std::string& font) {
    PdfPage page;
    page.lines.push_back({300, 690, head, 8, font});
    add_prose(page, 72, 660, 20);
    return markdown_of(page);
  };
  expect_lacks(text_with("Ships of the North", "F3"), "Ships of the North");
  expect_has(text_with("Ships of the North", "F1"), "Ships of the North");
  expect_has(text_with("Table of ships", "F3"), "Table of ships");
}

/// A page of letters as bars of `width` pixels: text in "F1", and a word in "AdvX1".
bool is_marked(int width, const std::string& font) {
  PageImage image(1, 800, 200, 144);
  for (int y = 0; y < 200; ++y) std::memset(image.row(y), 255, size_t(800) * 3);
  const auto draw = [&](int x, int y, int stroke) {
    for (int row = y; row < y + 14; ++row)
      for (int letter = 0; letter < 5; ++letter)
        std::memset(image.row(row) + size_t(x + letter * 10 + 3) * 3, 0, size_t(stroke) * 3);
  };
  std::vector<Word> words;
  for (int i = 0; i < 40; ++i) {
    const int x = (i % 10) * 70, y = (i / 10) * 30;
    words.push_back({"words", {x, y, x + 50, y + 20}, 1, 10, "F1"});
    draw(x, y + 3, 2);
  }
  words.push_back({"Heads", {0, 150, 50, 170}, 1, 10, font});
  draw(0, 153, width);
  words.push_back({"Heads", {60, 150, 110, 170}, 1, 10, font});
  draw(60, 153, width);
  mark_bold_fonts(words, image, 1);
  return words.back().heavy;
}

TEST(BoldFonts, AreKnownByTheirInkWhereTheNameDoesNotTell) {
  EXPECT_TRUE(is_marked(4, "AdvX1"));
  EXPECT_TRUE(is_marked(4, "ABCDEF+F2"));
  EXPECT_FALSE(is_marked(2, "AdvX1"));
  EXPECT_FALSE(is_marked(4, "Helvetica"));
}

std::vector<std::string> left_of(std::vector<Word> words) {
  remove_typed_rules(words);
  std::vector<std::string> texts;
  for (const Word& word : words) texts.push_back(word.text);
  return texts;
}

TEST(TypedRules, GoWhereTheyStandAlone) {
  using Texts = std::vector<std::string>;
  const std::string dots(60, '.'), line(30, '_');
  EXPECT_EQ(left_of({{"Head", {0, 0, 40, 10}}, {dots, {0, 20, 400, 30}}}), Texts{"Head"});
  EXPECT_EQ(left_of({{line, {0, 0, 200, 10}}, {"*", {210, 0, 215, 10}}}), Texts{"*"});
  EXPECT_EQ(left_of({{"Name:", {0, 0, 40, 10}}, {line, {50, 0, 200, 10}}}), (Texts{"Name:", line}));
  EXPECT_EQ(left_of({{dots, {0, 0, 400, 10}}, {"7", {410, 0, 420, 10}}}), (Texts{dots, "7"}));
  EXPECT_EQ(left_of({{"...", {0, 0, 20, 10}}}), Texts{"..."});
}

}  // namespace
}  // namespace docspec

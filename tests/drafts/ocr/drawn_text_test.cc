// Formulas that browsers draw as shapes between the words of a text layer.
#include "drafts/ocr/drawn_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace docspec {
namespace {

/// A page at 100 dpi whose lines have a word of 20 pixels' height at the left, a hole, and a word.
struct DrawnPage {
  PageImage image{1, 600, 600, 100};
  std::vector<Word> words;

  DrawnPage() { std::fill_n(image.row(0), size_t(600) * 600 * 3, uint8_t(255)); }
  void add_line(int y) {
    words.push_back({"where", {50, y, 150, y + 20}});
    words.push_back({"is", {200, y, 260, y + 20}});
  }
  void draw(const Box& box, uint8_t level = 0) {
    for (int y = box.y0; y < box.y1; ++y)
      std::fill_n(image.row(y) + size_t(box.x0) * 3, size_t(box.width()) * 3, level);
  }
  DrawnText find() const {
    PageInput page{1, 600, 600, 100, &image, words, {}, {}, {}};
    return find_drawn_text(page);
  }
};

DrawnPage with_formulas(int lines) {
  DrawnPage page;
  for (int i = 0; i < lines; ++i) {
    page.add_line(40 + 40 * i);
    page.draw({160, 45 + 40 * i, 170, 57 + 40 * i});
    page.draw({175, 45 + 40 * i, 185, 57 + 40 * i});
  }
  return page;
}

TEST(DrawnText, InkBetweenWordsIsAPieceOfTheirLine) {
  const DrawnText found = with_formulas(3).find();
  ASSERT_EQ(found.pieces.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.pieces[i].word, int(2 * i));
    EXPECT_FALSE(found.pieces[i].before);
    EXPECT_EQ(found.pieces[i].box.y0, 40 + 40 * int(i));
    EXPECT_NEAR(found.pieces[i].box.x0, 160, 1);
    EXPECT_NEAR(found.pieces[i].box.x1, 185, 2);
  }
  EXPECT_TRUE(found.higher.empty());
}

TEST(DrawnText, InFewLinesOnlyWhatStandsBetweenWordsOfTextCounts) {
  EXPECT_TRUE(with_formulas(2).find().pieces.empty());  // labels of a drawing
  DrawnPage page = with_formulas(2);
  for (Word& word : page.words) word.text = "continued";
  EXPECT_EQ(page.find().pieces.size(), 2u);
  for (Word& word : page.words) word.box.x0 = std::max(word.box.x0, 210);
  EXPECT_EQ(page.find().pieces.size(), 0u);  // a word is too far away
}

TEST(DrawnText, WatermarksRulesAndBulletsAreNoText) {
  DrawnPage page;
  for (int i = 0; i < 4; ++i) {
    page.add_line(40 + 40 * i);
    page.draw({160, 45 + 40 * i, 185, 57 + 40 * i}, 220);  // light
    page.draw({30, 46 + 40 * i, 38, 54 + 40 * i});         // a bullet
    page.draw({150, 60 + 40 * i, 200, 61 + 40 * i});       // a line to write on
    page.draw({195, 38 + 40 * i, 265, 62 + 40 * i});       // around a word
  }
  EXPECT_TRUE(page.find().pieces.empty());
}

TEST(DrawnText, FormulasOfTheirOwnCountOnPagesThatHaveSomeInLines) {
  DrawnPage page = with_formulas(3);
  for (int x = 200; x < 300; x += 15) page.draw({x, 200, x + 10, 214});  // one line
  for (int x = 200; x < 260; x += 15) {                                  // a fraction
    page.draw({x, 300, x + 10, 314});
    page.draw({x, 320, x + 10, 334});
  }
  page.draw({195, 316, 265, 318});
  page.draw({100, 400, 300, 580});  // a picture
  const DrawnText found = page.find();
  ASSERT_EQ(found.pieces.size(), 4u);
  EXPECT_EQ(found.pieces.back().word, -1);
  EXPECT_EQ(found.higher.size(), 1u);
  page.words.erase(page.words.begin() + 1, page.words.end());
  EXPECT_TRUE(page.find().higher.empty());
}

TEST(DrawnText, TheInkOfAPieceIsAllOfItsFormula) {
  DrawnPage page = with_formulas(3);
  page.words[1].box.x0 = 230;
  page.draw({205, 45, 215, 57});  // behind a minus that is too thin to be seen
  page.draw({160, 33, 185, 41});  // above it
  const DrawnText found = page.find();
  ASSERT_EQ(found.pieces.size(), 3u);
  EXPECT_NEAR(found.pieces[0].ink.y0, 33, 1);
  EXPECT_NEAR(found.pieces[0].ink.y1, 57, 2);
  EXPECT_NEAR(found.pieces[0].ink.x1, 215, 2);
  EXPECT_EQ(found.pieces[0].box.y0, 40) << "the place of its word in the line";
}

TEST(DrawnText, WhatAModelReadTakesThePlaceOfWhatOcrRead) {
  std::vector<Word> words = {{"where", {50, 40, 150, 60}}, {", so", {186, 40, 260, 60}}};
  Draft draft;
  draft.region = 0, draft.text = "xn,", draft.words = {{"xn,", {}}}, draft.confidence = 1;
  const std::vector<std::string> latex = {"x_n", "\\frac{1}{n}", ""};
  const DrawnRead done = add_drawn_text(
      words, {{{160, 40, 185, 60}, 0}, {{100, 200, 200, 260}}, {{100, 300, 200, 360}}}, {draft},
      0.4, latex);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[1].text, "$x_n$");
  EXPECT_TRUE(words[1].formula);
  EXPECT_FALSE(words[1].space_after) << "a comma stands there";
  EXPECT_EQ(words[3].text, "$\\frac{1}{n}$") << "a display";
  EXPECT_EQ(done.unread, 0);
}

TEST(DrawnText, WhatWasReadStandsAmongTheWords) {
  const std::vector<DrawnText::Piece> pieces = {
      {{160, 40, 185, 60}, 0, false}, {{20, 80, 45, 100}, 2, true}, {{60, 200, 90, 220}}};
  std::vector<Word> words = {{"where", {50, 40, 150, 60}, 1, 12, "Sans"},
                             {"is", {200, 40, 260, 60}},
                             {"so", {50, 80, 150, 100}}};
  words[0].space_after = false;
  const auto draft = [](int region, std::vector<Word> read, double confidence) {
    Draft draft;
    draft.region = region;
    for (const Word& word : read) draft.text += (draft.text.empty() ? "" : " ") + word.text;
    draft.words = std::move(read);
    draft.confidence = confidence;
    return draft;
  };
  const DrawnRead done = add_drawn_text(words, pieces,
                                        {draft(0, {{"A", {}}, {"≥ 0", {}}}, 0.9),
                                         draft(1, {{"n", {}}}, 0.8), draft(2, {{"x = 1", {}}}, 1)},
                                        0.4);
  EXPECT_EQ(done.read, 2);
  EXPECT_EQ(done.unread, 0);
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(words[1].text, "A ≥ 0");
  EXPECT_EQ(words[1].font, "Sans");
  EXPECT_TRUE(words[0].space_after);
  EXPECT_EQ(words[3].text, "n");
  EXPECT_EQ(words[4].text, "so");
  EXPECT_EQ(words[5].text, "x = 1");
  const DrawnRead again =
      add_drawn_text(words, {{{160, 40, 185, 60}, 0}, {{1, 1, 2, 2}}},
                     {draft(0, {{"?", {}}}, 0.2), draft(1, {{"a b", {}}}, 1)}, 0.4);
  EXPECT_EQ(again.unread, 1);   // unsure
  EXPECT_EQ(words.size(), 6u);  // no formula
  add_drawn_text(words, {{{160, 40, 185, 60}, 0}}, {draft(0, {{"re", {}}}, 0.9)}, 0.4);
  EXPECT_EQ(words.size(), 6u);  // letters of "where", whose box is too small
}

}  // namespace
}  // namespace docspec

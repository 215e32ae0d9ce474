#include "drafts/margins/page_margins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace docspec {
namespace {

/// A scan of 800 pixels with lines of 400, and right of them short ones that begin at `x` and reach
/// the edge; the place of the first of these.
Place place_beside(const std::vector<std::string>& cut_off, int x) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  const auto add = [&](const std::string& text, const Box& box) {
    TextLine line;
    line.words = {int(words.size())};
    line.box = box;
    line.size_px = 16;
    line.chars = text.size();
    line.rough_size = true;
    words.push_back({text, box});
    lines.push_back(line);
  };
  for (int row = 0; row < 20; ++row)
    add("aLineOfTheTextOfThisPage", {100, 100 + 24 * row, 500, 120 + 24 * row});
  for (int row = 0; row < int(cut_off.size()); ++row)
    add(cut_off[size_t(row)], {x, 160 + 24 * row, 799, 180 + 24 * row});
  PageInput page{1, 800, 1000, 100, nullptr, {}, {}, {}};
  page.words = words;
  return margin_places(page, lines, {}, 16)[20];
}

TEST(MarginPlaces, LettersOfTheNextPageAtTheEdgeOfAScanAreNoText) {
  const std::vector<std::string> letters = {"co", "fo", "the", "ma", "Rc", "cu"};
  EXPECT_EQ(place_beside(letters, 770), Place::header);
  EXPECT_EQ(place_beside({letters.begin(), letters.begin() + 4}, 770), Place::body) << "too few";
  EXPECT_EQ(place_beside(letters, 700), Place::body) << "whole words";
  EXPECT_EQ(place_beside({"1", "7", "12", "4", "9", "3"}, 770), Place::body) << "a column";
}

/// Words of one line of an upright page of 800 by 1000 pixels.
struct PlacedText {
  std::string text;
  int x = 100, y = 0;
  double size = 16;
};

/// The places of `margin`, lines over a page of text that begins at `top`.
std::vector<Place> places_over(const std::vector<PlacedText>& margin, int top) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  const auto add = [&](const PlacedText& of) {
    TextLine line;
    line.size_px = of.size;
    line.chars = of.text.size();
    line.box = {of.x, of.y, of.x + int(of.size * 0.5 * double(of.text.size())),
                of.y + int(of.size)};
    int x = of.x;
    for (size_t from = 0; from < of.text.size();) {
      const size_t to = std::min(of.text.find(' ', from), of.text.size());
      const int width = int(of.size * 0.5 * double(to - from));
      line.words.push_back(int(words.size()));
      words.push_back({of.text.substr(from, to - from), {x, of.y, x + width, line.box.y1}});
      words.back().font_size_pt = of.size * 0.72;
      x += width + int(of.size / 2);
      from = to + 1;
    }
    lines.push_back(line);
  };
  for (const PlacedText& of : margin) add(of);
  for (int row = 0; row < 30; ++row)
    add({"the keeper of the light wrote the hour into his log book and slept", 100,
         top + 24 * row});
  PageInput page{1, 800, 1000, 100, nullptr, {}, {}, {}};
  page.words = words;
  std::vector<Place> places = margin_places(page, lines, {}, 16);
  places.resize(margin.size());
  return places;
}

using Places = std::vector<Place>;
constexpr Place kHeader = Place::header, kBody = Place::body, kFooter = Place::footer;

TEST(MarginPlaces, ANumberBetweenTwoMarksIsThePages) {
  EXPECT_EQ(places_over({{"\u00B7 126 \u00B7", 100, 950, 19}}, 230), Places({kFooter}));
  EXPECT_EQ(places_over({{"- 126 -", 100, 950, 19}}, 230), Places({kFooter}));
  EXPECT_EQ(places_over({{"\u00B7 126", 100, 950, 19}}, 230), Places({kBody}));
}

TEST(MarginPlaces, WhatABrowserPrintsAtTheEdgeIsNoText) {
  EXPECT_EQ(
      places_over({{"5/29/13", 40, 20, 12}, {"http://light.example/log.html", 330, 20, 12}}, 42),
      Places({kHeader, kHeader}));
  EXPECT_EQ(places_over({{"2018/3/13", 600, 10, 24}}, 180), Places({kHeader}));
  EXPECT_EQ(places_over({{"5/29 13", 40, 26, 16}}, 50), Places({kBody}));
}

TEST(MarginPlaces, ALineAtTheFootThatNamesTheOwnerOfTheCopyIsNoText) {
  const std::string owner =
      "\u00A9 1994-2012 China Academic Journal Electronic Publishing House. All rights reserved.";
  EXPECT_EQ(places_over({{owner, 10, 955, 18}}, 230), Places({kFooter})) << "close to the text";
  EXPECT_EQ(places_over({{owner, 10, 20, 18}}, 60), Places({kBody})) << "not at the foot";
}

TEST(MarginPlaces, AShortLineFarOutAndFarFromTheTextIsAHeader) {
  EXPECT_EQ(places_over({{"Plays", 100, 18, 20}}, 80), Places({kHeader}));
  EXPECT_EQ(places_over({{"Plays", 100, 50, 20}}, 112), Places({kBody})) << "a title";
  EXPECT_EQ(places_over({{"The Light", 100, 40}, {"A. Keeper", 560, 40}}, 72),
            Places({kHeader, kHeader}));
}

TEST(MarginPlaces, ANumberAloneFarOutIsThePagesHoweverLarge) {
  EXPECT_EQ(places_over({{"52", 100, 8, 32}}, 120), Places({kHeader}));
  EXPECT_EQ(places_over({{"52", 100, 60, 32}}, 180), Places({kBody})) << "a chapter's";
}

TEST(MarginPlaces, ALineThatIntroducesWhatIsBelowIsText) {
  EXPECT_EQ(places_over({{"续表 2", 100, 18, 20}}, 80), Places({kBody}));
  EXPECT_EQ(places_over({{"我的方法：", 100, 18, 20}}, 80), Places({kBody}));
  EXPECT_EQ(places_over({{"我的方法", 100, 18, 20}}, 80), Places({kHeader}));
}

TEST(MarginPlaces, SlidesBelowEachOtherHaveTheSameFurniture) {
  const std::vector<PlacedText> footers = {{"Harbour School", 200, 450, 12},
                                           {"13 / 26", 520, 450, 12},
                                           {"Harbour School", 200, 970, 12},
                                           {"14 / 26", 520, 970, 12}};
  EXPECT_EQ(places_over(footers, 40), Places(4, kFooter));
  EXPECT_EQ(places_over({footers[0], footers[1], {"Port Office", 200, 970, 12}, footers[3]}, 40)[0],
            kBody);
}

}  // namespace
}  // namespace docspec

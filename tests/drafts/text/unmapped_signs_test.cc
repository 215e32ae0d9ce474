// Letters without a map to Unicode: a minus is seen, blanks go, what is left says so.
#include "drafts/text/unmapped_signs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace docspec {
namespace {

constexpr int kDpi = 144;
const std::string kHole = "\uFFFD";

/// A white page with black boxes.
PageImage drawn(const std::vector<Box>& ink) {
  PageImage image(1, 400, 100, kDpi);
  for (int y = 0; y < 100; ++y) std::memset(image.row(y), 255, size_t(400) * 3);
  for (const Box& box : ink)
    for (int y = box.y0; y < box.y1; ++y)
      std::memset(image.row(y) + size_t(box.x0) * 3, 0, size_t(box.width()) * 3);
  return image;
}

/// What `text` is read as where it has this ink, among twenty words that have a map.
std::string read(const std::string& text, const std::vector<Box>& ink) {
  std::vector<Word> words(21, {"word", {200, 10, 240, 30}, 1, 10});
  words[0] = {text, {10, 10, 70, 30}, 1, 10};
  read_unmapped_signs(words, drawn(ink), 1);
  return words.size() == 21 ? words[0].text : "";
}

const std::vector<Box> kDigits = {{24, 13, 34, 27}, {36, 13, 46, 27}, {48, 13, 69, 27}};

std::vector<Box> digits_and(const Box& box) {
  std::vector<Box> ink = kDigits;
  ink.push_back(box);
  return ink;
}

TEST(UnmappedSigns, ABarBeforeANumberIsItsMinus) {
  EXPECT_EQ(read(kHole + "0.94", digits_and({11, 20, 22, 22})), "\u22120.94");
  EXPECT_EQ(read(kHole, {{11, 20, 22, 22}}), "\u2212");
}

TEST(UnmappedSigns, AnotherSignBeforeANumberIsNotKnown) {
  EXPECT_EQ(read(kHole + "0.94", digits_and({11, 13, 22, 27})), kHole + "0.94");
  EXPECT_EQ(read(kHole + "0.94", digits_and({11, 27, 22, 29})), kHole + "0.94");  // an underscore
}

TEST(UnmappedSigns, BlanksAndDingbatsGo) {
  EXPECT_EQ(read(kHole + "094", kDigits), "094");
  EXPECT_EQ(read(kHole, {{11, 13, 22, 27}}), "");
}

TEST(UnmappedSigns, WhatTheGlyphsOfThePageKnowIsNamed) {
  std::vector<Word> words = {{kHole, {10, 10, 18, 30}, 1, 10},
                             {"a" + kHole, {30, 10, 46, 30}, 1, 10},
                             {kHole + "b", {60, 10, 76, 30}, 1, 10}};
  for (Word& word : words) word.font = "CMMI10";
  words.push_back({kHole, {10, 10, 18, 30}, 1, 10});
  PageGlyphs page;
  for (const auto& [x, letter] : std::vector<std::pair<double, uint32_t>>{
           {10, 0x3F5}, {30, 'a'}, {38, 0x1D6FC}, {60, 0}, {68, 'b'}})
    page.glyphs.push_back({letter, 0, x, x + 8, 28, 14, 28, 10, int(page.glyphs.size())});
  name_unmapped_letters(words, page);
  EXPECT_EQ(words[0].text, "ϵ");
  EXPECT_EQ(words[1].text, "aα");
  EXPECT_EQ(words[2].text, kHole + "b");
  EXPECT_EQ(words[3].text, kHole) << "in a font of the text";
}

TEST(UnmappedSigns, WhereTheyAreManyAllStay) {
  std::vector<Word> words(10, {kHole + "a", {10, 10, 70, 30}, 1, 10});
  read_unmapped_signs(words, drawn(kDigits), 1);
  for (const Word& word : words) EXPECT_EQ(word.text, kHole + "a");
}

}  // namespace
}  // namespace docspec

#include "drafts/ocr/ocr_words.h"

#include <gtest/gtest.h>

#include <sstream>

namespace docspec {
namespace {

/// A mark, then a word of `height` pixels whose small letters are two thirds as high.
std::vector<Word> line(const std::string& mark, Box mark_box, const std::string& word) {
  return {{mark, mark_box}, {word, {60, 0, 160, 24}}};
}

std::string restored(std::vector<Word> words) {
  restore_bullets(words, std::vector<size_t>{0});
  return words[0].text;
}

TEST(RestoreBullets, KnowsSmallSquareBlobsWhateverTheyWereReadAs) {
  EXPECT_EQ(restored(line("¢", {10, 9, 20, 19}, "trim")), "•");
  EXPECT_EQ(restored(line("*", {10, 9, 20, 19}, "wind")), "•");
}

TEST(RestoreBullets, LeavesLettersFootnoteMarksDashesAndNearSigns) {
  EXPECT_EQ(restored(line("e", {10, 7, 24, 23}, "o")), "e") << "a letter's size";
  EXPECT_EQ(restored(line("*", {10, 0, 18, 8}, "note")), "*") << "raised";
  EXPECT_EQ(restored(line("-", {10, 11, 22, 14}, "item")), "-") << "flat";
  EXPECT_EQ(restored(line("'", {45, 9, 55, 19}, "tis")), "'") << "close to its word";
  EXPECT_EQ(restored({{"¢", {10, 9, 20, 19}}}), "¢") << "alone on its line";
}

TEST(RestoreBullets, KnowsUsualMisreadingsBeforeACapital) {
  EXPECT_EQ(restored(line("o", {10, 4, 26, 22}, "Item")), "•");
  EXPECT_EQ(restored(line("o", {10, 4, 26, 22}, "item")), "o");
}

TEST(CutGrownWords, TakesWhatSpecksAddedToWordsOfALine) {
  std::vector<Word> words = {{"Once", {0, 0, 30, 40}},     {"upon", {40, 20, 80, 36}},
                             {"a", {90, 24, 98, 36}},      {"time", {110, 4, 150, 52}},
                             {"they", {160, 20, 240, 40}}, {"won", {200, 20, 230, 36}},
                             {"next", {0, 60, 30, 99}}};
  cut_grown_words(words, std::vector<size_t>{0, 6});
  EXPECT_EQ(words[3].box, (Box{110, 20, 150, 40}));
  EXPECT_EQ(words[0].box, (Box{0, 0, 30, 40})) << "an initial";
  EXPECT_EQ(words[4].box, (Box{160, 20, 200, 40}));
  EXPECT_EQ(words[6].box, (Box{0, 60, 30, 99})) << "alone in its line";
}

TEST(CloseCjkGaps, JoinsSyllablesOfAKoreanWordAndKeepsItsBlanks) {
  std::vector<Word> words = {{"도", {0, 0, 28, 30}},     {"구", {34, 1, 60, 31}},
                             {"를", {66, 0, 94, 30}},    {"실", {105, 0, 133, 30}},
                             {"(행", {138, 0, 170, 40}}, {"OK", {176, 4, 200, 28}}};
  close_cjk_gaps(words, std::vector<size_t>{0});
  const bool blank[] = {false, false, true, true, true, true};
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i].space_after, blank[i]) << i;
}

TEST(JoinCjkStops, AStopStandsWithItsWord) {
  std::vector<Word> line = {{"匹配", {0, 0, 40, 20}},
                            {"“+”", {50, 0, 70, 20}},
                            {"；", {90, 0, 100, 20}, 1, 0, {}, false, false},
                            {"；", {200, 0, 210, 20}}};
  join_cjk_stops(line);
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[1].text, "“+”；");
  EXPECT_EQ(line[1].box, (Box{50, 0, 100, 20}));
  EXPECT_FALSE(line[1].space_after);
  EXPECT_EQ(line[2].text, "；") << "too far";
}

TEST(MarkHeavy, KnowsTheLineWithThickStrokes) {
  PageImage image(1, 400, 200, 200);
  std::vector<Word> words;
  for (int row = 0; row < 5; ++row) {
    const int stroke_px = row == 2 ? 5 : 3;
    words.push_back({"word", {20, 20 + 30 * row, 380, 40 + 30 * row}});
    for (int y = 20 + 30 * row; y < 40 + 30 * row; ++y)
      for (int x = 20; x < 380; ++x)
        if (x % 12 < stroke_px) image.row(y)[x * 3] = image.row(y)[x * 3 + 1] = 0;
  }
  mark_heavy(words, std::vector<size_t>(5, 1), image);
  for (int row = 0; row < 5; ++row) EXPECT_EQ(words[row].heavy, row == 2) << row;
}

TEST(MarkHeavy, ShadeAndWhiteLettersOnDarkAreNotHeavy) {
  PageImage image(1, 400, 200, 200);
  std::vector<Word> words;
  for (int row = 0; row < 5; ++row) {
    words.push_back({"word", {20, 20 + 30 * row, 380, 40 + 30 * row}});
    const uint8_t paper = row == 1 ? 150 : row == 3 ? 0 : 255, ink = row == 3 ? 255 : 0;
    for (int y = 20 + 30 * row; y < 40 + 30 * row; ++y)
      for (int x = 20; x < 380; ++x)
        for (int c = 0; c < 3; ++c) image.row(y)[x * 3 + c] = x % 12 < 3 ? ink : paper;
  }
  mark_heavy(words, std::vector<size_t>(5, 1), image);
  for (int row = 0; row < 5; ++row) EXPECT_FALSE(words[row].heavy) << row;
}

TEST(IsVietnamese, KnowsItByLettersThatNoOtherLanguageHas) {
  const auto told = [](const std::string& text) {
    std::vector<Word> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back({word, {}});
    return is_vietnamese(words);
  };
  EXPECT_TRUE(told("Đt nưc Áo La núi dung nham Ming núi la sui nưc nóng Đá granit mch nưc ngm"));
  EXPECT_FALSE(told("Đorđe je došao u kuću i rekao da će kiša padati cijeli dan"));
  EXPECT_FALSE(told("Râul curge încet spre mare și oamenii îl privesc în tăcere"));
}

TEST(MendLetters, AnElisionBeginsWithAnL) {
  std::vector<Word> words;
  for (const char* text :
       {"1'homme", "(1’arrière", "I'Angleterre", "I'm", "I'll", "I've", "1'", "d1'a"})
    words.push_back({text, {}});
  mend_letters(words);
  const char* const expected[] = {"l'homme", "(l’arrière", "l'Angleterre", "I'm",
                                  "I'll",    "I've",       "1'",           "d1'a"};
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i].text, expected[i]);
}

TEST(MendLetters, SmallCapitalsAreCapitals) {
  std::vector<Word> words;
  for (const char* text : {"VoELZEN,", "TRoITZsCH", "TILLMANNs", "VoRLÄNDER", "McBRIDE", "JPEGs",
                           "RoBERTa", "IoT", "Words"})
    words.push_back({text, {}});
  mend_letters(words);
  const char* const expected[] = {"VOELZEN,", "TROITZSCH", "TILLMANNS", "VORLÄNDER", "McBRIDE",
                                  "JPEGs",    "RoBERTa",   "IoT",       "Words"};
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i].text, expected[i]);
}

TEST(MendLetters, ASmallSAndATickAfterAPriceAreNoSigns) {
  const auto mended = [](const std::vector<std::string>& line) {
    std::vector<Word> words;
    for (const std::string& text : line) words.push_back({text, {}});
    mend_letters(words);
    std::string out;
    for (const Word& word : words) out += word.text + " ";
    return out;
  };
  EXPECT_EQ(mended({"RM40.95", "≤"}), "RM40.95 s ");
  EXPECT_EQ(mended({"≤", "=", "6%"}), "s = 6% ");
  EXPECT_EQ(mended({"x", "≤"}), "x ≤ ");
  EXPECT_EQ(mended({"40.95", "≤", "x"}), "40.95 ≤ x ");
  EXPECT_EQ(mended({"≤", "x"}), "≤ x ");
  EXPECT_EQ(mended({"35.66√"}), "35.66✓ ");
  EXPECT_EQ(mended({"3√", "2"}), "3√ 2 ");
  EXPECT_EQ(mended({"√"}), "√ ");
}

}  // namespace
}  // namespace docspec

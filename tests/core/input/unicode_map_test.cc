#include "core/input/letters/unicode_map.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/input/letters/tex_fonts.h"

namespace docspec {
namespace {

constexpr char kMap[] =
    "/CIDInit /ProcSet findresource begin\n1 begincodespacerange <00> <FF> endcodespacerange\n"
    "3 beginbfchar\n<01><03B1>\n<02> <00660069>\n<0003> <0041>\nendbfchar\n"
    "2 beginbfrange\n<41> <43> <0061>\n<10> <12> [<2208> <D835DEFC> <00410042>]\nendbfrange\n"
    "endcmap";

TEST(UnicodeMap, GivesTheLettersOfCodesAndRanges) {
  const auto letters = letters_of_map(kMap);
  EXPECT_EQ(letters[1], 0x3B1u);
  EXPECT_EQ(letters[2], 0xFB01u) << "a ligature";
  EXPECT_EQ(letters[3], 0u) << "a code of two bytes";
  EXPECT_EQ(letters[0x41], uint32_t('a'));
  EXPECT_EQ(letters[0x43], uint32_t('c'));
  EXPECT_EQ(letters[0x44], 0u);
  EXPECT_EQ(letters[0x10], 0x2208u);
  EXPECT_EQ(letters[0x11], 0x1D6FCu) << "a pair of UTF-16";
  EXPECT_EQ(letters[0x12], 0u) << "two letters that are no ligature";
}

TEST(UnicodeMap, CodesOfTwoBytesAreOthers) {
  const CodeLetters letters = letters_of_wide_map(kMap);
  ASSERT_EQ(letters.size(), 1u);
  EXPECT_EQ(letters.at(3), uint32_t('A'));
  std::string greedy;  // a thousand times all codes
  for (int i = 0; i < 1000; ++i) greedy += "1 beginbfrange <0000><FFFF><0041> endbfrange\n";
  EXPECT_EQ(letters_of_wide_map(greedy).size(), 0x10000u);
}

TEST(UnicodeMap, IsReadAsFarAsItIsOne) {
  const std::string map = kMap;
  for (size_t end = 0; end < map.size(); ++end) letters_of_map(map.substr(0, end));
  std::mt19937 rng(3);
  for (int round = 0; round < 2000; ++round) {
    std::string broken = map;
    for (int k = 0; k < 4; ++k) broken[rng() % broken.size()] = char(rng() % 256);
    letters_of_map(broken);
  }
  EXPECT_EQ(letters_of_map("1 beginbfrange <00> <FF> <zz> endbfrange")[1], 0u);
}

TEST(UnicodeMap, MathematicalItalicsArePlainLetters) {
  EXPECT_EQ(plain_sign(0x1D44E), uint32_t('a'));
  EXPECT_EQ(plain_sign(0x210E), uint32_t('h')) << "the italic h has another place";
  EXPECT_EQ(plain_sign(0x1D6FC), 0x3B1u);
  EXPECT_EQ(plain_sign(0x1D714), 0x3C9u);
  EXPECT_EQ(plain_sign(0x1D719), 0x3D5u);
  EXPECT_EQ(plain_sign(0x2C6), 0x302u) << "an accent";
  EXPECT_EQ(plain_sign(0x1D400), 0x1D400u) << "bold letters stay what they are";
}

TEST(TexFonts, OtherFamiliesHaveTheCodesOfComputerModern) {
  EXPECT_EQ(tex_glyph("rtxmi", 0x0B)->letter, 0x3B1u);
  EXPECT_EQ(tex_glyph("txsys", 0x32)->letter, 0x2208u);
  EXPECT_EQ(tex_glyph("txexa", 0x20)->letter, 0xE014u);  // between the pieces of a brace
  EXPECT_EQ(tex_glyph("txsyb", 'R')->letter, 0x211Du);
  EXPECT_EQ(tex_glyph("MathDesign-GM-Regular-Symbol-10", 0x30)->letter,
            tex_glyph("CMSY10", 0x30)->letter);
  EXPECT_FALSE(tex_glyph("MathDesign-GM-Regular-T1-10", 0x0B)) << "a font of text";
  EXPECT_FALSE(tex_glyph("NewTXMI", 0x0B)) << "its codes are its own, its map tells";
  EXPECT_EQ(tex_glyph("txexs", 205)->letter, tex_glyph("CMEX10", 0x50)->letter) << "a sum";
}

TEST(TexFonts, IntegralsOfEsintAndLettersWithAccentsAreKnown) {
  EXPECT_EQ(tex_glyph("esint10", 2)->letter, 0x222Bu);
  EXPECT_EQ(tex_glyph("esint10", 0x0E)->letter, 0x222Fu) << "over a closed surface";
  EXPECT_LT(tex_glyph("esint10", 1)->below, tex_glyph("esint10", 2)->below);
  EXPECT_FALSE(tex_glyph("esint10", 'A'));
  EXPECT_TRUE(is_tex_math("esint10"));
  EXPECT_EQ(tex_letter_of_name("periodcentered"), 0xB7u) << "a product in the font of text";
  EXPECT_EQ(tex_letter_of_name("eacute"), 0xE9u);
  EXPECT_EQ(tex_letter_of_name("Ccaron"), 0x10Cu);
  EXPECT_EQ(tex_letter_of_name("qring"), 0u) << "no such letter";
}

}  // namespace
}  // namespace docspec

// The signs of Word's equations that have no letters of Unicode, and those that it draws.
#include "core/input/letters/symbol_fonts.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/input/letters/pi_fonts.h"
#include "core/input/wide/drawn_signs.h"

namespace docspec {
namespace {

TEST(SymbolFonts, PrivateCodesAreThoseOfSymbol) {
  EXPECT_EQ(symbol_sign("ABCDEF+SymbolMT", 0xF0A3), uint32_t(U'≤'));
  EXPECT_EQ(symbol_sign("Symbol", 0xF03D), uint32_t(U'='));
  EXPECT_EQ(symbol_sign("SymbolMT,Italic", 0xF070), uint32_t(U'π'));
  EXPECT_EQ(symbol_sign("SymbolMT", 0xF0EC), uint32_t(U'⎧'));
  EXPECT_EQ(symbol_sign("SymbolMT", 0xF020), uint32_t(' '));
  EXPECT_EQ(symbol_sign("SymbolMT", 'a'), 0u) << "has a letter already";
  EXPECT_EQ(symbol_sign("Wingdings", 0xF0A3), 0u);
  EXPECT_EQ(symbol_sign("TimesNewRoman", 0xF0A3), 0u);
  EXPECT_EQ(symbol_sign("BAAAAA+OpenSymbol", 0xF075), 0u) << "a bullet, no upsilon";
  EXPECT_EQ(pi_sign("SymbolMT", 0xF0CE), uint32_t(U'∈')) << "the words of a page have them too";
}

TEST(SymbolFonts, PiecesOfAdobeAndTheAccentsOfMtExtra) {
  EXPECT_EQ(symbol_sign("Anything", 0xF8EB), uint32_t(U'⎛'));
  EXPECT_EQ(symbol_sign("Anything", 0xF8FE), uint32_t(U'⎭'));
  EXPECT_EQ(symbol_sign("MT-Extra", 'r'), 0x20D7u);
  EXPECT_EQ(symbol_sign("MT Extra", 0xF04C), uint32_t(U'⋯'));
  EXPECT_EQ(symbol_sign("MT-Extra", 'z'), 0u);
  EXPECT_TRUE(is_equation_font("MTExtra"));
  EXPECT_FALSE(is_equation_font("TimesNewRoman"));
}

TEST(SymbolFonts, WordPerfectHasBulletsAndQuotesUnderLatinCodes) {
  EXPECT_EQ(pi_sign("ABCDEF+WPTypographicSymbols", '!'), uint32_t(U'•'));
  EXPECT_EQ(pi_sign("WPTypographicSymbols", 'A'), uint32_t(U'“'));
  EXPECT_EQ(pi_sign("WPTypographicSymbols", '='), uint32_t(U'’'));
  EXPECT_EQ(pi_sign("WPTypographicSymbols", 'x'), 0u);
}

TEST(DrawnSigns, ARootIsALineThatRisesToItsBar) {
  const std::vector<DrawnLine> lines = {
      {100, 20, 102, 18, 1}, {102, 18, 105, 30, 2}, {105, 30, 109, 5, 3}, {200, 5, 204, 30, 4}};
  const std::vector<PageRule> rules = {{109, 4.8, 130, 5.2, 5}};
  const auto signs = drawn_signs(lines, rules, 7);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].letter, 0x221Au);
  EXPECT_EQ(signs[0].font, 7);
  EXPECT_EQ(signs[0].x0, 100) << "its tick";
  EXPECT_EQ(signs[0].x1, 109);
  EXPECT_EQ(signs[0].order, 3);
}

TEST(DrawnSigns, BarsAndSlashesAreSignsOfPicturesAlone) {
  std::vector<DrawnLine> lines = {{10, 5, 10, 20, 1, true}, {30, 20, 36, 5, 2, true}};
  const auto signs = drawn_signs(lines, {}, 0);
  ASSERT_EQ(signs.size(), 2u);
  EXPECT_EQ(signs[0].letter, uint32_t('|'));
  EXPECT_EQ(signs[1].letter, uint32_t('/'));
  for (DrawnLine& line : lines) line.picture = false;
  EXPECT_TRUE(drawn_signs(lines, {}, 0).empty()) << "of a figure or a table";
}

}  // namespace
}  // namespace docspec

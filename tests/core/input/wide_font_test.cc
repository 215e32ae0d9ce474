// Fonts whose codes are of two bytes, as Word embeds Cambria Math.
#include "core/input/wide/wide_font.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/input/document_reader.h"
#include "core/input/wide/character_set.h"
#include "tests/support/pdf_writer.h"

namespace docspec {
namespace {

std::string font_number(uint32_t number, int bytes) {
  std::string out;
  for (int k = bytes - 1; k >= 0; --k) out += char(number >> (8 * k) & 0xFF);
  return out;
}

/// A TrueType program of 100 units a font size. Glyph 0 has no ink, 1 is a letter, 2 a sign from 90
/// under the line to 150 over it, 3 the piece of a bracket, from the line to 120 over it.
std::string true_type() {
  std::string outlines;
  for (const auto& [low, high] : {std::pair(0, 60), std::pair(-90, 150), std::pair(0, 120)})
    outlines += font_number(1, 2) + font_number(0, 2) + font_number(uint32_t(low), 2) +
                font_number(50, 2) + font_number(uint32_t(high), 2);
  std::string head(54, '\0');
  head.replace(18, 2, font_number(100, 2));
  std::string places;  // halved
  for (const uint32_t place : {0, 0, 5, 10, 15}) places += font_number(place, 2);
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"glyf", outlines}, {"head", head}, {"loca", places}};
  std::string rows, all;
  for (const auto& [name, table] : tables) {
    const size_t from = 12 + 16 * tables.size() + all.size();
    rows += name + font_number(0, 4) + font_number(uint32_t(from), 4) +
            font_number(uint32_t(table.size()), 4);
    all += table;
  }
  return font_number(0x10000, 4) + font_number(uint32_t(tables.size()), 2) + std::string(6, '\0') +
         rows + all;
}

std::string pdf_stream(const std::string& bytes) {
  return "<</Length " + std::to_string(bytes.size()) + ">>stream\n" + bytes + "\nendstream";
}

/// A page with the content, whose font F1 is a wide one of this name, as Word writes it.
PageGlyphs word_page(const std::string& content, const std::string& font,
                     const std::string& more_fonts = "",
                     const std::string& letters = "/ToUnicode 8 0 R") {
  const std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 "
      "R" +
          more_fonts + ">>>>>>",
      pdf_stream(content),
      "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+" + font +
          "/Encoding/Identity-H/DescendantFonts[6 0 R]" + letters + ">>",
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/X"
      "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 5>>/CIDToGIDMap/Identity/DW "
      "1000/W[0[250 500]2 3 "
      "700]/FontDescriptor 7 0 R>>",
      "<</Type/FontDescriptor/FontFile2 9 0 R>>",
      pdf_stream("2 beginbfchar <0000><0020> <0001><D835DC49> endbfchar "
                 "1 beginbfrange <0002><0004>[<2211><0020><0067>] endbfrange"),
      pdf_stream(true_type())};
  std::string pdf = "%PDF-1.4\n", xref = "0000000000 65535 f \n";
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string at = std::to_string(pdf.size());
    xref += std::string(10 - at.size(), '0') + at + " 00000 n \n";
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string at = std::to_string(pdf.size());
  pdf += "xref\n0 10\n" + xref + "trailer<</Size 10/Root 1 0 R>>\nstartxref\n" + at + "\n%%EOF\n";
  return open_document(test::input(pdf), "")->glyphs(1, 72);
}

TEST(WideFont, LettersOfFormulasHaveThePlacesAndTheInkOfTheirFont) {
  const PageGlyphs page =
      word_page("BT /F1 10 Tf 20 50 Td <00010000000200030004>Tj ET", "Cambria#20Math");
  ASSERT_EQ(page.glyphs.size(), 4u) << "a blank is none";
  const PageGlyph &v = page.glyphs[0], &sum = page.glyphs[1], &piece = page.glyphs[2],
                  &g = page.glyphs[3];
  EXPECT_EQ(v.letter, uint32_t('V'));
  EXPECT_EQ(page.fonts[size_t(v.font)], "Cambria Math");
  EXPECT_NEAR(v.x1, 25, 1e-6);
  EXPECT_EQ(sum.letter, 0x2211u);
  EXPECT_NEAR(sum.x0, 27.5, 1e-6) << "behind a letter and a blank";
  EXPECT_NEAR(sum.top, 35, 1e-6);
  EXPECT_NEAR(sum.bottom, 59, 1e-6);
  EXPECT_EQ(piece.letter, uint32_t(U'⎪')) << "the map gives it a blank";
  EXPECT_NEAR(g.x0, 41.5, 1e-6);
  EXPECT_EQ(g.letter, uint32_t('g'));
  EXPECT_TRUE(is_upright_name(page.fonts[size_t(g.font)]));
}

TEST(WideFont, APageWithoutFormulasHasNoGlyphs) {
  EXPECT_TRUE(word_page("BT /F1 10 Tf 20 50 Td <0001>Tj ET", "Cambria").empty());
}

TEST(WideFont, TextAroundTexsFormulasIsReadToo) {
  const std::string tex =
      "/F2<</Type/Font/Subtype/Type1/BaseFont/CMMI10/FirstChar 65/LastChar "
      "66/Widths[700 700]>>";
  const PageGlyphs page =
      word_page("BT /F1 10 Tf 20 50 Td <0004>Tj /F2 10 Tf (A)Tj ET", "LMRoman10-Regular", tex);
  ASSERT_EQ(page.glyphs.size(), 2u);
  EXPECT_EQ(page.glyphs[0].letter, uint32_t('g'));
  EXPECT_EQ(page.glyphs[1].letter, uint32_t('A'));
}

TEST(WideFont, FontsWithoutAMapHaveTheLettersOfTheirSet) {
  const std::string tex =
      "/F2<</Type/Font/Subtype/Type1/BaseFont/CMMI10/FirstChar 65/LastChar 66/Widths[700 700]>>";
  const PageGlyphs page =
      word_page("BT /F1 10 Tf 20 50 Td <03E7>Tj /F2 10 Tf (A)Tj ET", "FandolSong", tex, "");
  ASSERT_EQ(page.glyphs.size(), 2u) << "poppler-data is installed with docspec's libraries";
  EXPECT_EQ(page.glyphs[0].letter, 0x8D25u);
  EXPECT_TRUE(letters_of_set("Klingon").empty());
}

TEST(WideFont, InkIsReadAsFarAsTheProgramGoes) {
  const std::string program = true_type();
  EXPECT_EQ(true_type_ink(program, 0), std::nullopt);
  EXPECT_EQ(true_type_ink(program, 2), std::pair(1.5, 0.9));
  EXPECT_EQ(true_type_ink(program, 4), std::nullopt);
  for (size_t end = 0; end < program.size(); ++end)
    for (const unsigned glyph : {0u, 3u, 0xFFFFu}) true_type_ink(program.substr(0, end), glyph);
}

TEST(WideFont, NamesTellWhoseFormulasAreOfOneFont) {
  EXPECT_TRUE(is_upright_name(upright_name("Cambria Math")));
  EXPECT_TRUE(is_upright_name(upright_name("STIXTwoMath-Regular")));
  EXPECT_TRUE(is_upright_name(upright_name("NewCMMath-Book"))) << "Typst's";
  EXPECT_EQ(upright_name("LMMathItalic10-Regular"), "");
  EXPECT_EQ(upright_name("PazoMath"), "") << "TeX's";
  EXPECT_EQ(upright_name("Cambria"), "");
}

}  // namespace
}  // namespace docspec

// What a PDF says of its text besides the letters: ligatures, second prints, links.
#include <gtest/gtest.h>

#include <map>

#include "core/input/document_reader.h"
#include "core/input/letters/glyph_widths.h"
#include "core/input/letters/pi_fonts.h"
#include "core/input/letters/plain_letters.h"
#include "core/input/letters/right_to_left.h"
#include "core/input/letters/tex_letters.h"
#include "core/input/letters/tex_names.h"
#include "core/input/pdf_words.h"
#include "tests/support/font_widths.h"
#include "tests/support/pdf_writer.h"

namespace docspec {
namespace {

/// A word whose letters are half as wide as they are high, but for those in `wide`.
GlyphWord word(const std::string& text, std::map<size_t, double> wide = {}) {
  GlyphWord out{"Font", {text.begin(), text.end()}, std::vector<double>(text.size(), 0.5)};
  for (const auto& [at, width] : wide) out.widths[at] = width;
  return out;
}

std::string repaired(const GlyphWord& word) {
  GlyphWidths widths;
  for (int i = 0; i < 4; ++i)
    for (const char* known : {"fish", "hill", "Three", "offer"}) {
      GlyphWord usual{"Font", {known, known + std::string(known).size()}, {}};
      usual.widths.assign(usual.letters.size(), 0.5);
      widths.learn(usual);
    }
  widths.learn(word);
  const auto letters = widths.repaired(word);
  return {letters.begin(), letters.end()};
}

TEST(PdfText, BoxesOfBitmapLettersOfTwoLinesAreAsHighAsTheirLine) {
  const auto word = [](const Box& box, const char* font, double size) {
    Word out{"word", box};
    out.font = font, out.font_size_pt = size;
    return out;
  };
  std::vector<Word> words;
  for (int y : {0, 24, 48})
    for (int x : {0, 60, 180}) words.push_back(word({x, y, x + 50, y + 18}, "Palatino-Roman", 11));
  words.push_back(word({120, 12, 135, 46}, kNameless, 20));
  clip_tall_boxes(words, std::vector<double>(words.size(), 0), 200.0 / 72, true);
  EXPECT_EQ(words.back().box, (Box{120, 24, 135, 42}));
}

TEST(PdfText, ARadicalSignHangsFromItsLine) {
  const auto word = [](const std::string& text, const Box& box, const char* font) {
    Word out{text, box};
    out.font = font, out.font_size_pt = 12;
    return out;
  };
  std::vector<Word> words = {word("continuously", {100, 0, 200, 32}, "CMR12"),
                             word("differentiable", {210, 0, 300, 32}, "CMR12"),
                             word("√", {150, 6, 170, 38}, "CMSY10"),
                             word("2M", {170, 40, 200, 72}, "CMR12")};
  words[0].space_after = false;  // Poppler saw the sign behind it
  clip_tall_boxes(words, std::vector<double>(words.size(), 0), 200.0 / 72, true);
  EXPECT_GT(words[2].box.y0, 25);
  EXPECT_GT(words[2].box.y1, 60);
  EXPECT_TRUE(words[0].space_after);
}

TEST(PdfText, SignsOfAmsAndLasyFontsAreNoLetters) {
  EXPECT_EQ(tex_letter("MSAM10", 'I').letter, 0x25B6u) << "Beamer's bullet";
  EXPECT_EQ(tex_letter("LASY10", '2').letter, 0x25A1u);
  EXPECT_EQ(tex_letter("CMR10", 'I').letter, 0u);
}

TEST(PdfText, SignsOfLatinModernAndEsintAreNoLettersAndAccents) {
  EXPECT_EQ(tex_letter("LMMathExtension10-Regular", 'X').letter, 0x2211u);
  EXPECT_EQ(tex_letter("LMMathExtension10-Regular", 'Y').letter, 0x220Fu);
  EXPECT_EQ(tex_letter("LMMathExtension10-Regular", '(').letter, 0u) << "its map tells";
  EXPECT_EQ(tex_letter("LMMathSymbols8-Regular", '0').letter, 0x2032u) << "a prime";
  EXPECT_EQ(tex_letter("LMMathSymbols8-Regular", 'A').letter, 0x1D49Cu);
  EXPECT_EQ(tex_letter("LMRoman8-Regular", '0').letter, 0u);
  EXPECT_EQ(tex_letter("esint10", 0x2C6).letter, 0x222Bu);
  EXPECT_EQ(tex_code("esint10", "circumflex"), 2u);
}

TEST(PdfText, ALamAlefIsReadAsItsTwoLetters) {
  constexpr uint32_t kLam = 0x644, kAlef = 0x627;
  GlyphWord glyph{"Arial", {'x', kLam, kAlef}, {0.5, 0.3, 0.3}};
  part_lams(glyph);
  EXPECT_EQ(glyph.letters, (std::vector<uint32_t>{'x', kAlef, kLam}));
  GlyphWord article{"Arial", {'x', kLam, kAlef}, {0.5, 0.26, 0.24}};
  part_lams(article);
  EXPECT_EQ(article.letters, (std::vector<uint32_t>{'x', kLam, kAlef}));
  GlyphWord narrow{"Times", {'x', kLam, kAlef}, {0.5, 0.207, 0.207}};
  part_lams(narrow);
  EXPECT_EQ(narrow.letters, (std::vector<uint32_t>{'x', kLam, kAlef}));
  constexpr uint32_t kMeem = 0x645;
  GlyphWord meem{"Arial", {'x', kLam, kMeem}, {0.5, 0.2, 0.2}};
  part_lams(meem);
  EXPECT_EQ(meem.letters, (std::vector<uint32_t>{'x', kMeem, kLam})) << "of one glyph";
  GlyphWord two{"Arial", {'x', kLam, kMeem}, {0.5, 0.25, 0.3}};
  part_lams(two);
  EXPECT_EQ(two.letters, (std::vector<uint32_t>{'x', kLam, kMeem})) << "meem and lam, painted so";
}

TEST(PdfText, SpacesWithoutWidthAndPaintedBracketsAreNotOfTheWords) {
  EXPECT_EQ(clean_utf8({'D', 0x200B, 'A', 0x2060, 'Y', 0xFEFF}), "DAY");
  EXPECT_EQ(logical_order("\u05DD\u05D5\u05DC\u05E9)"), "(\u05E9\u05DC\u05D5\u05DD");
  EXPECT_EQ(logical_order("(plain)"), "(plain)");
  // Forms of letters, a lam-alef among them, and Persian digits.
  EXPECT_EQ(logical_order("\uFEE1\uFEFC\uFEB3"), "\u0633\u0644\u0627\u0645");
  EXPECT_EQ(logical_order("\u06F1\u06F5\u06CC"), "\u06CC\u06F1\u06F5");
}

TEST(PdfText, ALetterAsWideAsALigatureIsOne) {
  EXPECT_EQ(repaired(word("diference", {{2, 1.0}})), "difference");
  EXPECT_EQ(repaired(word("conidence", {{3, 1.0}})), "confidence");
  EXPECT_EQ(repaired(word("relected", {{2, 0.97}})), "reflected");
  EXPECT_EQ(repaired(word("he", {{0, 1.0}})), "The");
  EXPECT_EQ(repaired(word("oices", {{1, 1.5}})), "offices");
}

TEST(PdfText, LettersOfOtherWidthsStay) {
  EXPECT_EQ(repaired(word("film")), "film");
  EXPECT_EQ(repaired(word("film", {{1, 0.7}})), "film");
  // Letters set apart: all of them are wide.
  EXPECT_EQ(repaired(word("fill", {{0, 1.0}, {1, 1.0}, {2, 1.0}, {3, 1.0}})), "fill");
}

/// A word of a font with true widths, in which U+FFFD stands for a ligature `wide` em wide.
std::u32string mended(const std::u32string& text, double wide) {
  const std::map<char32_t, double> usual = {{'t', 0.335}, {'i', 0.23}, {'f', 0.285}, {'l', 0.23},
                                            {'a', 0.48},  {'e', 0.5},  {'n', 0.525}, {'o', 0.525},
                                            {'r', 0.35},  {'s', 0.39}, {'w', 0.715}, {'m', 0.8},
                                            {'p', 0.525}, {'c', 0.42}};
  GlyphWidths widths;
  GlyphWord known{"ABCDEF+Font", {}, {}};
  for (const auto& [letter, width] : usual) {
    known.letters.push_back(letter);
    known.widths.push_back(width);
  }
  for (int i = 0; i < 4; ++i) widths.learn(known);
  GlyphWord word{"GHIJKL+Font-Light", {}, {}};
  for (const char32_t letter : text) {
    word.letters.push_back(letter);
    word.widths.push_back(letter == U'\uFFFD' ? wide : usual.at(letter));
  }
  const auto letters = widths.repaired(word);
  return {letters.begin(), letters.end()};
}

TEST(PdfText, ALigatureWithoutALetterIsKnownByItsWidth) {
  EXPECT_EQ(mended(U"mo\uFFFDon", 0.555), U"motion");
  EXPECT_EQ(mended(U"so\uFFFDware", 0.62), U"software");
  EXPECT_EQ(mended(U"a\uFFFDer", 0.605), U"after");
  EXPECT_EQ(mended(U"ar\uFFFDfact", 0.56), U"artifact");  // and no "ff", which is as wide
  EXPECT_EQ(mended(U"pla\uFFFDorm", 0.59), U"platform");
  EXPECT_EQ(mended(U"wri\uFFFDen", 0.665), U"written");
  EXPECT_EQ(mended(U"mo\uFFFDon", 0.4), U"mo\uFFFDon");  // no ligature is as narrow
}

TEST(PdfText, PiecesOfASecondPrintGo) {
  std::vector<Word> words = {{"53", {10, 10, 30, 20}},   {"53.4", {10, 10, 42, 20}},
                             {"fi", {60, 10, 70, 20}},   {"Specific", {50, 10, 100, 20}},
                             {"ox", {110, 10, 120, 20}}, {"fox", {200, 10, 220, 20}}};
  words[3].space_after = false;
  drop_overprints(words);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0].text, "53.4");
  EXPECT_EQ(words[1].text, "Specific");
  EXPECT_TRUE(words[1].space_after);
  EXPECT_EQ(words[2].text, "ox");
}

TEST(PdfText, ASecondPrintInABoxOfAnotherHeightGoes) {
  // "Q學" in the box of Q's font, and the second print of its other letter in that of its own.
  std::vector<Word> words = {
      {"學", {29, 4, 52, 33}}, {"Q學", {10, 10, 51, 30}}, {"學", {29, 24, 52, 53}}};
  drop_overprints(words);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].text, "Q學");
  EXPECT_EQ(words[1].box.y0, 24) << "a letter of the line below";
}

std::vector<Word> linked(const std::string& address, int rotate = 0) {
  test::PdfPage page;
  page.rotate = rotate;
  page.lines = {{72, 700, "see"}, {200, 700, "there"}};
  page.annotations =
      "<</Type/Annot/Subtype/Link/Rect[195 695 250 715]/A<</S/URI/URI(" + address + ")>>>>";
  return open_document(test::input(test::make_pdf({page})), "")->text_layer(1, 144);
}

TEST(PdfText, LettersBehindASpanHaveItsFont) {
  test::PdfPage page;
  // As macOS writes a ligature: the span ends after the font is gone.
  page.drawing =
      "q BT /F1 11 Tf 72 700 Td (men) Tj ET Q\n"
      "/Span <</ActualText (ti)>> BDC q BT /F1 11 Tf 91.5 700 Td (x) Tj ET Q EMC\n"
      "q BT /F1 11 Tf 97 700 Td (on) Tj ET Q\n";
  const auto words = open_document(test::input(test::make_pdf({page})), "")->text_layer(1, 72);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].text, "mention");
  EXPECT_EQ(words[0].font, "Helvetica");
}

TEST(PdfText, CodesOfPiFontsAreSigns) {
  EXPECT_EQ(pi_sign("ABCDEF+MathematicalPi-One", '1'), uint32_t('+'));
  EXPECT_EQ(pi_sign("MathematicalPi-One", 'a'), 0x3B1u);
  EXPECT_EQ(pi_sign("MathematicalPi-One", ' '), 0u);
  EXPECT_EQ(pi_sign("Helvetica", '1'), 0u);
  EXPECT_EQ(pi_sign("GAIJMF+AdvMathSymb", 0xBC), uint32_t('=')) << "Arbortext's";
  EXPECT_EQ(pi_sign("GAIJMH+AdvP4C4E51", ':'), uint32_t('.'));
  EXPECT_EQ(pi_sign("GAIJMG+AdvPS7DA6", '2'), 0x2212u);
  EXPECT_EQ(pi_sign("AdvTimes", 0xF0), 0u) << "of a text";
  EXPECT_EQ(pi_sign("Universal-NewswithCommPi", 'r'), 0xA9u);
  // Glyphs named "H11002", "H9252", "H9004", "H20849".
  EXPECT_EQ(pi_sign("OMFBIF+MathematicalPi-One", 11002), 0x2212u);
  EXPECT_EQ(pi_sign("OMFBJB+Universal-GreekwithMathPi", 9252), 0x3B2u);
  EXPECT_EQ(pi_sign("GLPJAF+Universal-GreekwithMathPi", '6'), 0xB1u);
  EXPECT_EQ(pi_sign("Universal-GreekwithMathPi", 9268), 0x3C3u);
  EXPECT_EQ(pi_sign("Universal-GreekwithMathPi", 9018), 0x3A3u);
  EXPECT_EQ(pi_sign("Universal-GreekwithMathPi", 9024), 0x3A9u);
  EXPECT_EQ(pi_sign("MathematicalPi-Three", 20849), uint32_t('('));
  EXPECT_EQ(pi_sign("SimSun", 20849), 0u);
}

TEST(PdfText, WordsInALinkHaveItsAddress) {
  for (const int rotate : {0, 90, 180, 270}) {
    const auto words = linked("https://a.example/b", rotate);
    ASSERT_EQ(words.size(), 2u);
    for (const Word& word : words)
      EXPECT_EQ(word.link, word.text == "there" ? "https://a.example/b" : "") << rotate;
  }
}

TEST(PdfText, AddressesThatCouldRunSomethingAreNone) {
  for (const char* address :
       {"javascript:alert(1)", "file:///etc/passwd", "HTTPX://a", "data:text/html,x"})
    for (const Word& word : linked(address)) EXPECT_EQ(word.link, "") << address;
}

/// A page with the content, whose font F1 is CMMI10 with letters of half its size.
std::string tex_page(const std::string& content, const std::string& encoding = "",
                     const std::string& producer = "pdfTeX") {
  std::string widths;
  for (int i = 0; i < 128; ++i) widths += "500 ";
  const std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 "
      "R>>/XObject<</Page 7 0 R/Figure 9 0 R/Self 13 0 R>>>>>>",
      "<</Length " + std::to_string(content.size()) + ">>stream\n" + content + "\nendstream",
      "<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+CMMI10/FirstChar 0/LastChar 127/Widths[" +
          widths + "]" + encoding + ">>",
      "<</Producer(" + producer + ")>>",
      // The whole page, drawn by another form within this one.
      "<</Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<</XObject<</Fm 8 0 R>>>>/Length "
      "6>>stream\n/Fm Do\nendstream",
      "<</Type/XObject/Subtype/Form/BBox[0 0 200 100]/Matrix[1 0 0 1 5 0]/Resources<</Font<</F1 5 "
      "0 "
      "R>>>>/Length 35>>stream\nBT /F1 10 Tf 20 50 Td (\\013x)Tj ET  \nendstream",
      "<</Type/XObject/Subtype/Form/BBox[0 0 50 50]/Resources<</Font<</F1 5 0 R>>>>/Length "
      "34>>stream\nBT /F1 10 Tf 20 50 Td (\\013x)Tj ET \nendstream",
      "<</Length 38>>stream\n2 beginbfchar<01><FB01><02><0061>endbf\nendstream",
      "<</Type/FontDescriptor/FontFile 12 0 R>>",
      "<</Length 70>>stream\ndup 33 /beta put\ndup 34 /star put\ndup 184 /lambda put\neexec dup 35 "
      "/no\nendstream",
      "<</Type/XObject/Subtype/Form/BBox[0 0 200 100]/Resources<</XObject<</Self 13 0 R>>>>/Length "
      "27>>stream\n/Self Do /Self Do /Self Do \nendstream"};
  std::string pdf = "%PDF-1.4\n";
  std::string xref = "0000000000 65535 f \n";
  for (size_t i = 0; i < objects.size(); ++i) {
    const std::string at = std::to_string(pdf.size());
    xref += std::string(10 - at.size(), '0') + at + " 00000 n \n";
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string at = std::to_string(pdf.size());
  return pdf + "xref\n0 14\n" + xref + "trailer<</Size 14/Root 1 0 R/Info 6 0 R>>\nstartxref\n" +
         at + "\n%%EOF\n";
}

TEST(PdfText, GlyphsAndBarsStandWhereTheContentPutsThem) {
  const auto reader = open_document(
      test::input(tex_page("q BT /F1 10 Tf 20 50 Td [(\\013)-100(x)]TJ ET Q 30 60 40 .4 re f "
                           "BT /F1 7 Tf 1 0 0 1 90 40 Tm (y)Tj ET")),
      "");
  const PageGlyphs page = reader->glyphs(1, 144);
  ASSERT_EQ(page.glyphs.size(), 3u);
  ASSERT_EQ(page.rules.size(), 1u);
  EXPECT_EQ(page.fonts[0], "CMMI10");
  const PageGlyph &alpha = page.glyphs[0], &x = page.glyphs[1], &y = page.glyphs[2];
  EXPECT_EQ(alpha.letter, 0x3B1u);
  EXPECT_NEAR(alpha.x0, 40, 1e-6);
  EXPECT_NEAR(alpha.base, 100, 1e-6) << "50 points over the foot, two pixels a point";
  EXPECT_NEAR(x.x0, 52, 1e-6) << "behind five points and one of a tenth of the size";
  EXPECT_NEAR(y.size, 14, 1e-6);
  EXPECT_NEAR(y.base, 120, 1e-6);
  EXPECT_NEAR(page.rules[0].x0, 60, 1e-6);
  EXPECT_NEAR(page.rules[0].y1, 80, 1e-6);
  EXPECT_GT(page.rules[0].order, x.order);
  EXPECT_LT(page.rules[0].order, y.order);
}

TEST(PdfText, ASizeAndAWidthBelowZeroTurnLettersOver) {
  const std::string plain = "BT /F1 10 Tf 20 50 Td (\\013x)Tj ET";
  const std::string over = "1 0 0 -1 0 100 cm BT /F1 -10 Tf -100 Tz 20 50 Td (\\013x)Tj ET";
  const auto glyphs = [](const std::string& content) {
    return open_document(test::input(tex_page(content)), "")->glyphs(1, 72).glyphs;
  };
  const auto first = glyphs(plain), second = glyphs(over);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].letter, second[i].letter);
    EXPECT_NEAR(first[i].x0, second[i].x0, 1e-6);
    EXPECT_NEAR(first[i].x1, second[i].x1, 1e-6);
    EXPECT_NEAR(first[i].base, second[i].base, 1e-6);
    EXPECT_NEAR(first[i].top, second[i].top, 1e-6);
    EXPECT_NEAR(first[i].size, second[i].size, 1e-6);
  }
}

TEST(PdfText, AFontOfTexIsKnownByTheNameOfItsFileToo) {
  EXPECT_EQ(plain_font_name("ABCDEF+cmmi10"), "CMMI10");
  EXPECT_EQ(plain_font_name("ecbx1000"), "SFBX1000");
  for (const char* other : {"cmr", "cmMono10", "Courier10", "ec-10", "times12"})
    EXPECT_EQ(plain_font_name(other), other);
}

TEST(PdfText, ALineThatIsClosedAndDrawnIsABar) {
  const std::string text = "BT /F1 10 Tf 20 50 Td (x)Tj ET .4 w ";
  for (const char* line : {"30 60 m 70 60 l S", "30 60 m 70 60 l s"}) {
    const auto reader = open_document(test::input(tex_page(text + line)), "");
    EXPECT_EQ(reader->glyphs(1, 72).rules.size(), 1u) << line;
  }
}

TEST(PdfText, ALineThatRunsDownIsNoBarOfAFormula) {
  const std::string text = "BT /F1 10 Tf 20 50 Td (x)Tj ET .4 w ";
  for (const char* line : {"30 20 m 30 60 l S", "30 20 .4 40 re f"}) {
    const auto reader = open_document(test::input(tex_page(text + line)), "");
    const PageGlyphs page = reader->glyphs(1, 72);
    EXPECT_TRUE(page.rules.empty()) << line;
    ASSERT_EQ(page.uprights.size(), 1u) << line;
    EXPECT_NEAR(page.uprights[0].y1 - page.uprights[0].y0, 40, 1e-6) << line;
  }
}

/// The letters of the page's glyphs, one after the other.
std::u32string letters_of(const std::string& pdf) {
  std::u32string letters;
  for (const PageGlyph& glyph : open_document(test::input(pdf), "")->glyphs(1, 72).glyphs)
    letters += char32_t(glyph.letter);
  return letters;
}

TEST(PdfText, GlyphsAreFoundByTheirNames) {
  const std::string content = "BT /F1 10 Tf 20 50 Td (!\"#)Tj ET";
  // As macOS numbers a font anew, and by TeX's own codes.
  const std::string anew = "/Encoding<</Differences[33/star/alpha/slash]>>";
  for (const char* producer : {"Mac OS X 10.6.7 Quartz PDFContext", "pdfTeX"})
    EXPECT_EQ(letters_of(tex_page(content, anew, producer)), U"⋆α/") << producer;
  EXPECT_EQ(letters_of(tex_page(content, "", "PyPDF2")), U"ωεϑ");
  EXPECT_EQ(letters_of(tex_page("BT /F1 10 Tf 20 50 Td (/<)Tj ET", "/Encoding/WinAnsiEncoding",
                                "Acrobat Distiller 7.0")),
            U"/<");
  // Names within the font, as cairo numbers it; a file that TeX wrote keeps its codes.
  EXPECT_EQ(letters_of(tex_page(content, "/FontDescriptor 11 0 R", "cairo")), U"β⋆#");
  EXPECT_EQ(letters_of(tex_page(content, "/FontDescriptor 11 0 R")), U"ωεϑ");
  const std::string repeated = "BT /F1 10 Tf 20 50 Td (!\\270)Tj ET";
  EXPECT_EQ(letters_of(tex_page(repeated, "/FontDescriptor 11 0 R", "dvipdfmx")), U"ωλ");
  // A map without names: the codes are not TeX's.
  EXPECT_EQ(
      letters_of(tex_page("BT /F1 10 Tf 20 50 Td (\\001\\002)Tj ET", "/ToUnicode 10 0 R", "cairo")),
      U"\uFB01a");
}

TEST(PdfText, GlyphsOfAPageWithinAPageAreItsOwn) {
  EXPECT_EQ(letters_of(tex_page("q /Page Do Q BT /F1 9 Tf 99 5 Td (7)Tj ET")), U"αx7");
  EXPECT_EQ(letters_of(tex_page("/Page Do", "", "StampPDF")), U"αx");
  EXPECT_EQ(letters_of(tex_page("/Figure Do /Figure Do")), U"");
  EXPECT_EQ(letters_of(tex_page("BT /F1 10 Tf ET /Page Do BT 99 5 Td (7)Tj ET")), U"αx7");
  EXPECT_EQ(letters_of(tex_page("/Self Do")), U"") << "a form that draws itself";
  const auto page = open_document(test::input(tex_page("/Page Do")), "")->glyphs(1, 72);
  ASSERT_EQ(page.glyphs.size(), 2u);
  EXPECT_NEAR(page.glyphs[0].x0, 25, 1e-6);
}

TEST(PdfText, NamesOfTexFontsAreTheirCodes) {
  EXPECT_EQ(tex_code("CMEX10", "summationdisplay"), 0x58u);
  EXPECT_EQ(tex_code("CMSY8", "arrowright"), 0x21u);
  EXPECT_EQ(tex_code("CMSY8", "A"), unsigned('A'));
  EXPECT_EQ(tex_code("CMR10", "parenleft"), unsigned('('));
  EXPECT_EQ(tex_code("CMR10", "Gamma"), 0u);
  EXPECT_EQ(tex_code("CMMI10", "parenleft"), std::nullopt);
  EXPECT_EQ(tex_code("Times-Roman", "parenleft"), std::nullopt);
  EXPECT_EQ(glyph_name(BaseEncoding::windows, '<'), "less");
  EXPECT_EQ(glyph_name(BaseEncoding::mac, 0xD5), "quoteright");
  EXPECT_EQ(glyph_name(BaseEncoding::own, 'a'), "");
}

TEST(PdfText, WhatHoldsNoGlyphsGivesNone) {
  for (const char* content : {"BT /F9 10 Tf (x)Tj ET", "BT (x)Tj ET", "q q q Q Q Q Q Q", "[(",
                              "BT /F1 10 Tf 0 1 -1 0 50 50 Tm (turned)Tj ET"}) {
    const auto reader = open_document(test::input(tex_page(content)), "");
    EXPECT_TRUE(reader->glyphs(1, 72).empty()) << content;
  }
}

TEST(PdfText, PiecesOfAWordThatArePrintedTwiceAreReadOnce) {
  test::PdfPage page;
  double x = 72;
  for (const char* piece : {"In", "v", "oic", "e"}) {
    for (const double aside : {0.0, 0.5}) page.lines.push_back({x + aside, 700, piece, 30});
    x += test::text_width(piece, "F1", 30);
  }
  const auto words = open_document(test::input(test::make_pdf({page})), "")->text_layer(1, 144);
  ASSERT_EQ(words.size(), 1u) << words[0].text;
  EXPECT_EQ(words[0].text, "Invoice");
}

}  // namespace
}  // namespace docspec

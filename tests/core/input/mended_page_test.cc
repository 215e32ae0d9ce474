// Pages whose text Poppler reads wrong, and what the copies for it have instead.
#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/mended_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>

#include "core/input/content/hidden_text.h"

namespace docspec {
namespace {

QPDFObjectHandle first_page(QPDF& pdf) {
  return pdf.getAllPages()[0];
}

/// A file of one page with the resources and the content.
class OnePage {
 public:
  OnePage(const std::string& resources, const std::string& content) {
    pdf_.emptyPDF();
    QPDFObjectHandle page = QPDFObjectHandle::parse(
        "<</Type/Page/MediaBox[0 0 600 800]/Resources<<" + resources + ">>>>");
    page.replaceKey("/Contents", QPDFObjectHandle::newStream(&pdf_, content));
    pdf_.addPage(pdf_.makeIndirectObject(page), false);
  }
  QPDF& pdf() { return pdf_; }
  QPDFObjectHandle resources() { return first_page(pdf_).getKey("/Resources"); }

 private:
  QPDF pdf_;
};

/// The map of font F in a copy of page 1; empty = the page has no copy or the font no map.
std::string map_in(const std::string& copy) {
  if (copy.empty()) return "";
  QPDF pdf;
  pdf.processMemoryFile("copy", copy.data(), copy.size());
  QPDFObjectHandle font = first_page(pdf).getKey("/Resources").getKey("/Font").getKey("/F");
  QPDFObjectHandle map = font.getKey("/ToUnicode");
  if (!map.isStream()) return "";
  const auto data = map.getStreamData(qpdf_dl_generalized);
  return {reinterpret_cast<const char*>(data->getBuffer()), data->getSize()};
}

std::string bitmap_font(const std::string& names) {
  return "/Font<</F<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]"
         "/FirstChar 0/LastChar 127/Widths[]/CharProcs<<>>/Encoding<</Differences[" +
         names + "]>>>>>>";
}

TEST(MendedPage, BitmapFontsOfDvipsGetTheirLigatures) {
  std::string names = "11/11/12/13 40/40 44/44/45";
  for (int letter = 'a'; letter <= 'p'; ++letter)
    names += fmt::format(" {}/{}", letter, char(letter));
  OnePage page(bitmap_font(names), "BT /F 10 Tf (a) Tj ET");
  const std::string map = map_in(page_for_text(page.pdf(), 1));
  EXPECT_NE(map.find("<0C> <00660069>"), std::string::npos) << map;  // "fi"
  EXPECT_NE(map.find("<61> <0061>"), std::string::npos) << map;
}

TEST(MendedPage, OtherBitmapFontsStay) {
  std::string formulas = "11/11/12";  // Greek letters in TeX's mathematical italics
  for (int letter = 'a'; letter <= 'p'; ++letter)
    formulas += fmt::format(" {}/{}", letter, char(letter));
  for (const std::string& names : {formulas, std::string("97/a1/a2/a3"), std::string("65/A/B")}) {
    OnePage page(bitmap_font(names), "BT /F 10 Tf (a) Tj ET");
    EXPECT_EQ(page_for_text(page.pdf(), 1), "") << names;
  }
}

/// The copy of a page with a font of TeX's signs whose map says `letter` of "×".
std::string copy_of_signs(const std::string& letter) {
  OnePage page(
      "/Font<</F<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+CMSY10/FirstChar 33/LastChar "
      "33/Widths[778]/Encoding<</Differences[33/multiply]>>>>>>",
      "BT /F 10 Tf (!) Tj ET");
  page.resources().getKey("/Font").getKey("/F").replaceKey(
      "/ToUnicode", QPDFObjectHandle::newStream(
                        &page.pdf(), "1 beginbfchar\n<21> <" + letter + ">\nendbfchar\n"));
  return page_for_text(page.pdf(), 1);
}

TEST(MendedPage, MapsThatMakeArrowsOfTexsSignsGo) {
  const std::string copy = copy_of_signs("21E4");
  EXPECT_NE(copy, "");
  EXPECT_EQ(map_in(copy), "");
  EXPECT_EQ(copy_of_signs("00D7"), "");
}

/// Whether a page hides `text` with a picture, `share` of the page, below it or over it.
bool hides(const std::string& text, double share, bool over = false) {
  const std::string picture = fmt::format("q {} 0 0 800 0 0 cm /I Do Q", 600 * share);
  OnePage page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>/XObject<<>>",
               over ? text + " " + picture : picture + " " + text);
  QPDFObjectHandle image = QPDFObjectHandle::newStream(&page.pdf(), "0");
  image.getDict().replaceKey("/Subtype", QPDFObjectHandle::newName("/Image"));
  page.resources().getKey("/XObject").replaceKey("/I", page.pdf().makeIndirectObject(image));
  return hides_text(page.pdf(), 1);
}

TEST(MendedPage, LigaturesNamedAfterControlCharactersAreInTheMap) {
  const auto mended = [](const std::string& names) {
    OnePage page(
        "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/MacmillanRoman/Encoding"
        "<</Differences[1 " +
            names + "]>>>>>>",
        "BT /F 10 Tf (a) Tj ET");
    page.resources().getKey("/Font").getKey("/F").replaceKey(
        "/ToUnicode",
        QPDFObjectHandle::newStream(&page.pdf(), "1 beginbfchar\n<01> <0061>\nendbfchar\nendcmap"));
    return map_in(page_for_text(page.pdf(), 1));
  };
  const std::string map = mended("/a /FF /comma /hyphen /CR");
  EXPECT_NE(map.find("<02> <00660069>"), std::string::npos) << map;  // "fi"
  EXPECT_NE(map.find("<05> <0066006C>"), std::string::npos) << map;  // "fl"
  EXPECT_NE(map.find("<01> <0061>"), std::string::npos) << map;
  EXPECT_EQ(mended("/a /FF /SO /colon"), "") << "a font for formulas";
  EXPECT_EQ(mended("/FF /comma /hyphen"), "") << "it has a letter";
}

TEST(HiddenText, IsWrittenWithoutInkOrBelowThePage) {
  const std::string text = "BT /F 10 Tf (many words of a scanned page that is long) Tj ET";
  const std::string inkless = "q 3 Tr " + text + " Q";
  EXPECT_TRUE(hides(inkless, 1));
  EXPECT_TRUE(hides(inkless + " BT (p) Tj ET", 1)) << "a stamp";
  EXPECT_FALSE(hides(text, 1));
  EXPECT_FALSE(hides(inkless + " " + text, 1));
  EXPECT_TRUE(hides(text, 1, true));
  EXPECT_FALSE(hides(text, 0.5, true)) << "a picture of half the page";
}

TEST(HiddenText, ContentThatCannotBeParsedHidesNothing) {
  for (const char* content : {"((((", "Q Q Q 3 Tr", "<<", "/I Do /I Do", "[(a)] TJ Tj '"})
    EXPECT_FALSE(hides(content, 0.1)) << content;
}

/// What a page draws whose Poppler reads a copy of it; empty = it has no copy.
std::string content_for_text(const std::string& content, const std::string& drawn = "") {
  OnePage page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>" + drawn, content);
  const std::string copy = page_for_text(page.pdf(), 1);
  if (copy.empty()) return "";
  QPDF pdf;
  pdf.processMemoryFile("copy", copy.data(), copy.size());
  const auto data = first_page(pdf).getKey("/Contents").getStreamData(qpdf_dl_generalized);
  return {reinterpret_cast<const char*>(data->getBuffer()), data->getSize()};
}

/// Whether the copy of a page lifts the text "(old)" off it, and no other.
bool lifts_old(const std::string& content, const std::string& drawn = "") {
  const std::string copy = content_for_text(content, drawn);
  const size_t lifted = copy.find("100000 Ts");
  return lifted != std::string::npos && lifted < copy.find("(old)") &&
         copy.find("(old)") < copy.find("Ts", lifted + 9) &&
         copy.find("100000 Ts", lifted + 9) == std::string::npos;
}

TEST(HiddenText, TextOutsideOfItsClipIsLiftedOffThePage) {
  const std::string text = " BT /F 10 Tf 100 500 Td (old) Tj ET";
  const std::string seen = " BT /F 10 Tf 100 500 Td (new) Tj ET";
  EXPECT_TRUE(lifts_old("q 90 35 200 90 re W n" + text + " Q" + seen)) << "below it";
  EXPECT_TRUE(lifts_old("q 0 0 50 800 re W n" + text + " Q" + seen)) << "at its left";
  EXPECT_TRUE(lifts_old("q 2 0 0 2 0 0 cm 0 0 m 300 0 l 300 480 l h W* n" + text + " Q" + seen));
  EXPECT_FALSE(lifts_old("q 90 490 200 90 re W n" + text + " Q" + seen)) << "within it";
  EXPECT_FALSE(lifts_old("q 90 506 200 90 re W n" + text + " Q" + seen)) << "cut by it";
  EXPECT_FALSE(lifts_old("90 35 200 90 re f" + text + seen)) << "no clip";
  EXPECT_FALSE(lifts_old("q 90 35 200 90 re W n Q" + text + seen)) << "it ended";
  std::string saved, restored;
  for (int i = 0; i < 150; ++i) saved += "q ", restored += " Q";
  EXPECT_TRUE(lifts_old("q 90 35 200 90 re W n " + saved + restored + text + " Q" + seen));
}

TEST(HiddenText, TextWithoutInkStaysWhereItMayBeThatOfAScan) {
  const std::string text = "BT 3 Tr /F 10 Tf (old) Tj 0 Tr (new and long) Tj ET";
  EXPECT_TRUE(lifts_old(text));
  EXPECT_FALSE(lifts_old(text, "/XObject<</I<<>>>>")) << "a picture is on the page";
  EXPECT_FALSE(lifts_old("BT 3 Tr /F 10 Tf (old) Tj ET")) << "no text is seen";
}

}  // namespace
}  // namespace docspec

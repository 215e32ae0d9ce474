// Pages whose fonts of TeX are bitmaps of 300 dots an inch, as dvips and Ghostscript write them.
#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/bitmaps/bitmap_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <string>
#include <vector>

#include "core/input/letters/unicode_map.h"

namespace docspec {
namespace {

/// A glyph of a bitmap font, in dots.
struct Dots {
  int code, width, top, bottom;
};

/// CMSY10 at 10 points: "→ ∈ \ ⊢ { } |".
const std::vector<Dots> kSigns = {{0x21, 42, 21, 0},  {0x32, 28, 23, -2},  {0x5C, 28, 25, -1},
                                  {0x60, 25, 29, 0},  {0x66, 21, 31, -10}, {0x67, 21, 31, -10},
                                  {0x6A, 12, 31, -10}};

/// A file of one page with one font, whose glyphs stand at the codes from 1 on.
class OnePage {
 public:
  OnePage(const std::vector<Dots>& glyphs, const std::string& content) {
    pdf_.emptyPDF();
    QPDFObjectHandle programs = QPDFObjectHandle::newDictionary();
    std::string widths, names = "1";
    for (const Dots& glyph : glyphs) {
      const std::string name = fmt::format("/a{}", glyph.code);
      widths += fmt::format("{} ", glyph.width);
      names += name;
      programs.replaceKey(name, pdf_.makeIndirectObject(QPDFObjectHandle::newStream(
                                    &pdf_, fmt::format("{} 0 0 {} {} {} d1", glyph.width,
                                                       glyph.bottom, glyph.width, glyph.top))));
    }
    QPDFObjectHandle page = QPDFObjectHandle::parse(fmt::format(
        "<</Type/Page/MediaBox[0 0 600 800]/Resources<</Font<</F<</Type/Font/Subtype/Type3"
        "/FontBBox[0 0 1 1]/FontMatrix[1 0 0 -1 0 0]/FirstChar 1/LastChar {}/Widths[{}]"
        "/Encoding<</Differences[{}]>>>>>>>>>>",
        glyphs.size(), widths, names));
    page.getKey("/Resources").getKey("/Font").getKey("/F").replaceKey("/CharProcs", programs);
    page.replaceKey("/Contents", QPDFObjectHandle::newStream(&pdf_, content));
    pdf_.addPage(pdf_.makeIndirectObject(page), false);
  }

  bool name() { return name_bitmap_fonts(pdf_, 1); }
  QPDFObjectHandle font() { return page().getKey("/Resources").getKey("/Font").getKey("/F"); }
  std::string content() {
    const auto data = page().getKey("/Contents").getStreamData();
    return {reinterpret_cast<const char*>(data->getBuffer()), data->getSize()};
  }
  /// The letter that the font's map gives a code.
  uint32_t letter(int code) {
    const auto data = font().getKey("/ToUnicode").getStreamData();
    return letters_of_map(
        {reinterpret_cast<const char*>(data->getBuffer()), data->getSize()})[size_t(code)];
  }

 private:
  QPDFObjectHandle page() { return pdf_.getAllPages()[0]; }
  QPDF pdf_;
};

TEST(BitmapText, ItsMeasuresTellAFont) {
  OnePage page(kSigns, "BT /F .24 Tf (\x02) Tj ET");
  ASSERT_TRUE(page.name());
  // At 9 and at 10 points the font has nearly the same measures.
  EXPECT_TRUE(page.font().getKey("/BaseFont").getName().starts_with("/CMSY"));
  EXPECT_EQ(page.letter(0x32), U'∈');
  EXPECT_EQ(page.letter(0x60), U'⊢');
  EXPECT_TRUE(page.name()) << "it stays so";
}

TEST(BitmapText, HasTexsCodesAndTrueSizesAndStandsUpright) {
  OnePage page(kSigns, "BT /F .24 Tf 1 0 0 -1 72 700 Tm [(\x02)-12500(\x05)]TJ 10 12 Td ET");
  ASSERT_TRUE(page.name());
  const std::string content = page.content();
  double size = 0, gap = 0;
  ASSERT_EQ(std::sscanf(content.c_str() + content.find("/F ") + 3, "%lf", &size), 1) << content;
  EXPECT_NEAR(size, 10, 0.3);
  ASSERT_EQ(std::sscanf(content.c_str() + content.find("(2)") + 3, "%lf", &gap), 1) << content;
  EXPECT_NEAR(gap * size, -12500 * .24, 1) << "the place of the next glyph is as before";
  EXPECT_NE(content.find("(f)"), std::string::npos) << content;
  EXPECT_NE(content.find("1.00000 72 700 Tm"), std::string::npos) << content;
  EXPECT_NE(content.find("-12.00000 Td"), std::string::npos) << content;
}

TEST(BitmapText, OtherFontsStay) {
  std::vector<Dots> square;  // one of a typewriter of another maker
  for (int code = 'a'; code < 'q'; ++code) square.push_back({code, 30 + code % 7, 28, -3});
  OnePage other(square, "BT /F .24 Tf (\x01) Tj ET");
  EXPECT_FALSE(other.name());
  OnePage few({kSigns[4], kSigns[5]}, "BT /F .24 Tf (\x01) Tj ET");
  EXPECT_FALSE(few.name()) << "two glyphs fit several fonts";
}

}  // namespace
}  // namespace docspec

// The ink of the large signs of fonts of formulas, by a font that docspec's packages install.
#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/wide/inked_font.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <string>

namespace docspec {
namespace {

TexGlyph integral_of(const std::string& font) {
  std::ifstream in("/usr/share/fonts/opentype/urw-base35/StandardSymbolsPS.otf", std::ios::binary);
  const std::string program{std::istreambuf_iterator<char>(in), {}};
  QPDF pdf;
  pdf.emptyPDF();
  QPDFObjectHandle dictionary = QPDFObjectHandle::parse(
      "<< /Type /Font /Subtype /Type1 /BaseFont /" + font +
      " /FirstChar 65 /Widths [500] /Encoding << /Differences [65 /integral] >> "
      "/FontDescriptor << /Type /FontDescriptor >> >>");
  dictionary.getKey("/FontDescriptor")
      .replaceKey("/FontFile3", QPDFObjectHandle::newStream(&pdf, program));
  const auto read = read_inked_font(dictionary, true);
  return read ? read->glyphs[65] : TexGlyph{};
}

TEST(InkedFont, LargeSignsHaveTheInkOfTheirProgram) {
  const TexGlyph own = integral_of("ABCDEF+STIXTwoMath"), usual = integral_of("ABCDEF+STIXTwoText");
  EXPECT_GT(own.above + own.below, 0.95);
  EXPECT_GT(own.above, usual.above) << "a font of text needs none";
}

}  // namespace
}  // namespace docspec

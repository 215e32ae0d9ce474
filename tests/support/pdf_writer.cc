#include "tests/support/pdf_writer.h"

#include <fmt/format.h>

namespace docspec::test {

namespace {

std::string stream(const std::string& entries, const std::string& bytes) {
  return fmt::format("<<{}/Length {}>>\nstream\n{}\nendstream", entries, bytes.size(), bytes);
}

std::string font(const char* name, const char* more = "") {
  return fmt::format("<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding{}>>", name,
                     more);
}

/// Says of each letter the third after it, as fonts do whose codes were shifted.
std::string shifted_map() {
  return stream("",
                "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /S def "
                "1 begincodespacerange <00> <FF> endcodespacerange "
                "2 beginbfrange <21> <7B> <0024> <7C> <7E> <00A1> endbfrange endcmap end end");
}

std::string grey_image(const PageImage& image) {
  std::string pixels;
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < image.width_px(); ++x) pixels += char(image.row(y)[3 * x]);
  return stream(fmt::format("/Type/XObject/Subtype/Image/Width {}/Height {}/ColorSpace/DeviceGray"
                            "/BitsPerComponent 8",
                            image.width_px(), image.height_px()),
                pixels);
}

}  // namespace

std::string make_pdf(const std::vector<PdfPage>& pages) {
  std::vector<std::string> objects = {"<</Type/Catalog/Pages 2 0 R>>",
                                      "",
                                      font("Helvetica"),
                                      font("Helvetica-Bold"),
                                      font("Courier"),
                                      font("Times-Roman"),
                                      font("Times-Bold"),
                                      font("Times-Italic"),
                                      font("Helvetica-Oblique"),
                                      font("Helvetica", "/ToUnicode 13 0 R"),
                                      font("CMMI10"),
                                      font("CMR10"),
                                      shifted_map(),
                                      font("Symbol", "/FirstChar 61/LastChar 61/Widths[549]")};
  std::string kids;
  for (const PdfPage& page : pages) {
    std::string content, images;
    for (const PdfImage& image : page.images) {
      objects.push_back(grey_image(image.pixels));
      images += fmt::format("/I{0} {0} 0 R", objects.size());
      content += fmt::format("q {} 0 0 {} {} {} cm /I{} Do Q\n", image.width, image.height, image.x,
                             image.y, objects.size());
    }
    content += page.drawing + "\n";
    for (const PdfLine& line : page.lines)
      content += fmt::format("BT /{} {} Tf {} {} Td ({}) Tj ET\n", line.font, line.size, line.x,
                             line.y, line.text);
    constexpr int kFonts = 11;  // of which the page gets those that it uses
    std::string fonts;
    for (int n = 1; n <= kFonts; ++n)
      if (content.find(fmt::format("/F{} ", n)) != content.npos)
        fonts += fmt::format("/F{} {} 0 R", n, n < kFonts ? n + 2 : n + 3);
    const size_t number = objects.size() + 1;
    kids += fmt::format("{} 0 R ", number);
    objects.push_back(fmt::format(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {} {}]/Rotate {}/Contents {} 0 R"
        "/Annots[{}]/Resources<</XObject<<{}>>/Font<<{}>>>>>>",
        page.width, page.height, page.rotate, number + 1, page.annotations, images, fonts));
    objects.push_back(stream("", content));
  }
  objects[1] = fmt::format("<</Type/Pages/Kids[{}]/Count {}>>", kids, pages.size());
  std::string pdf = "%PDF-1.4\n",
              xref = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (size_t i = 0; i < objects.size(); ++i) {
    xref += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const size_t start = pdf.size();
  return pdf + xref +
         fmt::format("trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n", objects.size() + 1,
                     start);
}

std::shared_ptr<const InputBytes> input(std::string bytes, std::string name) {
  return std::make_shared<InputBytes>(InputBytes{std::move(name), std::move(bytes)});
}

}  // namespace docspec::test

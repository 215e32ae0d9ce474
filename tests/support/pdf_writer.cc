#include "tests/support/pdf_writer.h"

#include <fmt/format.h>

namespace docspec::test {

std::string make_pdf(const std::vector<PdfPage>& pages) {
  std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>", "",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
      "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"};
  std::string kids;
  for (const PdfPage& page : pages) {
    std::string content = page.drawing + "\n";
    for (const PdfLine& line : page.lines)
      content += fmt::format("BT /{} {} Tf {} {} Td ({}) Tj ET\n", line.font, line.size, line.x,
                             line.y, line.text);
    const size_t number = objects.size() + 1;
    kids += fmt::format("{} 0 R ", number);
    objects.push_back(
        fmt::format("<</Type/Page/Parent 2 0 R/MediaBox[0 0 {} {}]/Rotate {}/Contents {} 0 R"
                    "/Annots[{}]/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>>>",
                    page.width, page.height, page.rotate, number + 1, page.annotations));
    objects.push_back(
        fmt::format("<</Length {}>>\nstream\n{}\nendstream", content.size(), content));
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

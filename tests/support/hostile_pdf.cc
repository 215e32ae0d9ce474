#include "tests/support/hostile_pdf.h"

#include <fmt/format.h>

#include <vector>

namespace docspec::test {
namespace {

constexpr int kFirstForm = 10;

std::string write_objects(const std::vector<std::string>& objects) {
  std::string pdf = "%PDF-1.7\n", xref;
  for (size_t i = 0; i < objects.size(); ++i) {
    xref += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return pdf + fmt::format(
                   "xref\n0 {}\n0000000000 65535 f \n{}trailer\n<</Size {}/Root 1 0 R>>\n"
                   "startxref\n{}\n%%EOF\n",
                   objects.size() + 1, xref, objects.size() + 1, pdf.size());
}

std::string stream(const std::string& dictionary, const std::string& content) {
  return fmt::format("<<{}/Length {}>>\nstream\n{}\nendstream", dictionary, content.size(),
                     content);
}

std::string line(const std::string& text) {
  return "BT /F1 12 Tf 72 700 Td (" + text + ") Tj ET ";
}

/// Page 2 draws `content` with the forms X (object 10) and what follows it.
std::string three_pages(const std::string& content, int side_pt,
                        const std::vector<std::string>& forms) {
  const std::string resources =
      fmt::format("/Resources<</Font<</F1 6 0 R>>/XObject<</X {} 0 R>>>>", kFirstForm);
  const auto page = [&](int stream, int side) {
    return fmt::format("<</Type/Page/Parent 2 0 R/MediaBox[0 0 {0} {0}]/Contents {1} 0 R{2}>>",
                       side, stream, resources);
  };
  std::vector<std::string> objects = {"<</Type/Catalog/Pages 2 0 R>>",
                                      "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>",
                                      page(7, 800),
                                      page(8, side_pt),
                                      page(7, 800),
                                      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
                                      stream("", line("A page that can be read")),
                                      stream("", content),
                                      "null"};
  objects.insert(objects.end(), forms.begin(), forms.end());
  return write_objects(objects);
}

}  // namespace

std::string pdf_that_hangs() {
  constexpr int kDepth = 40;
  std::vector<std::string> forms;
  for (int i = 0; i < kDepth; ++i)
    forms.push_back(
        stream(fmt::format("/Subtype/Form/BBox[0 0 800 800]/Resources<</XObject<</X {} 0 R>>>>",
                           kFirstForm + i + 1),
               "/X Do /X Do"));
  forms.push_back(stream("/Subtype/Form/BBox[0 0 800 800]", "0 0 1 1 re f"));
  return three_pages("/X Do", 800, forms);
}

std::string pdf_that_exhausts_memory() {
  constexpr int kDepth = 95, kSide = 5000;
  std::vector<std::string> forms;
  for (int i = 0; i < kDepth; ++i)
    forms.push_back(
        stream(fmt::format("/Subtype/Form/BBox[0 0 {0} {0}]/Group<</S/Transparency/I true/K true>>"
                           "/Resources<</XObject<</X {1} 0 R>>/ExtGState<</G<</ca .5>>>>>>",
                           kSide, kFirstForm + i + 1),
               "/G gs 0 0 9 9 re f /X Do"));
  forms.push_back(stream("/Subtype/Form/BBox[0 0 9 9]", "0 0 1 1 re f"));
  return three_pages(line("A page that can be rescued") + "/X Do", kSide, forms);
}

}  // namespace docspec::test

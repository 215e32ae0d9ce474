#include "core/markup/formats/html_viewer.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/document/image_writer.h"
#include "core/markup/formats/docspec_json.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/random_document.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

TEST(HtmlViewer, HoldsTheDocumentItShows) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 rng(seed);
    const Document document = test::random_document(rng);
    const auto html = make_html_format();
    const auto json = make_json_format();
    EXPECT_EQ(json->render(html->parse(html->render(document, {})), {}), json->render(document, {}))
        << "seed " << seed;
  }
}

TEST(HtmlViewer, NeedsNoOtherFileAndEscapesWhatItShows) {
  Document document;
  document.source_file = "<x>.pdf";
  Page page;
  page.page = 1;
  page.width_pt = 100;
  page.height_pt = 200;
  page.picture_jpeg = encode_jpeg(PageImage(1, 100, 200, 72), 72);
  Block block;
  block.text = "</script><script>alert(1)</script> & <b>";
  block.box_pt = {10, 20, 30, 40};
  page.blocks = {block};
  document.pages = {page};
  const std::string html = make_html_format()->render(document, {});
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("href=\"http"), std::string::npos);
  EXPECT_NE(html.find("data:image/jpeg;base64,/9j/"), std::string::npos);
  // The box and the text carry one name.
  const std::string name = "data-block=\"1-0\"";
  const size_t first = html.find(name);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(html.find(name, first + 1), std::string::npos);
}

TEST(HtmlViewer, ShowsBothReadingsOfAWordAndWhereItStands) {
  Document document;
  Page page;
  page.page = 2;
  Block block;
  block.id = 5;
  block.text = "The tower";
  block.words = {{WordSource::document, 1, "", {}, {}, {}, "", {}, false},
                 {WordSource::document,
                  1,
                  "tower",
                  "two<r",
                  "tower",
                  {},
                  "OCR confirms it",
                  {10, 20, 30, 40},
                  false},
                 {WordSource::model, 1, "31", "31", "37", {}, "", {1, 2, 3, 4}, true}};
  page.blocks = {block};
  document.pages = {page};
  const std::string html = make_html_format()->render(document, {});
  for (const char* part :
       {"<del>two&lt;r</del> <ins>tower</ins>", "<del>37</del> <ins>31</ins>", "model, doubtful",
        "<rect x=\"10.0\" y=\"20.0\" width=\"20.0\" height=\"20.0\" class=\"diff\" "
        "data-difference=\"2-5-0\"/>",
        "class=\"diff kept\" data-difference=\"2-5-1\"", "e.key === 'n'"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(HtmlViewer, OtherHtmlIsRefused) {
  EXPECT_THROW(make_html_format()->parse("<html></html>"), Error);
}

/// What a browser makes of the page: text and boxes there, linked by the script.
TEST(HtmlViewer, ABrowserLinksBoxesAndText) {
  std::string browser;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (test::run_program({"sh", "-c", std::string("command -v ") + name}).code == 0)
      browser = name;
  if (browser.empty()) GTEST_SKIP() << "skipped: no Chromium here; packaging/deps --viewer";
  const test::TempDir dir;
  const std::string file = (dir / "report.html").string();
  const auto made = test::docspec(
      {"convert", DOCSPEC_SOURCE_DIR "/share/samples/report.pdf", "--model", "none", "-o", file});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string html = test::read_file(file), open = "<h1 data-block=\"";
  const size_t at = html.find(open);
  ASSERT_NE(at, std::string::npos);
  const std::string id =
      html.substr(at + open.size(), html.find('"', at + open.size()) - at - open.size());
  const auto seen =
      test::run_program({browser, "--headless=new", "--no-sandbox", "--disable-gpu",
                         "--user-data-dir=" + (dir / "profile").string(),
                         "--virtual-time-budget=3000", "--dump-dom", "file://" + file + "#b" + id});
  ASSERT_EQ(seen.code, 0) << seen.err;
  EXPECT_NE(seen.out.find("Survey of the North Harbour"), std::string::npos);
  // The address names a block: its heading and its rectangle are marked, and nothing else.
  size_t marked = 0;
  for (size_t tag = seen.out.find("class=\"on\""); tag != std::string::npos;
       tag = seen.out.find("class=\"on\"", tag + 1), ++marked) {
    const size_t begin = seen.out.rfind('<', tag);
    EXPECT_NE(seen.out.substr(begin, tag - begin).find("data-block=\"" + id + "\""),
              std::string::npos);
  }
  EXPECT_EQ(marked, 2u);
}

}  // namespace
}  // namespace docspec

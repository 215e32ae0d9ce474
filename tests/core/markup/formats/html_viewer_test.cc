#include "core/markup/formats/html_viewer.h"

#include <gtest/gtest.h>

#include <filesystem>

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
  page.picture = viewer_picture(PageImage(1, 100, 200, 72), false);
  Block block;
  block.text = "</script><script>alert(1)</script> & <b>";
  block.box_pt = {10, 20, 30, 40};
  page.blocks = {block};
  document.pages = {page};
  const std::string html = make_html_format()->render(document, {});
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
  EXPECT_EQ(html.find("href=\"http"), std::string::npos);
  EXPECT_NE(html.find("data:image/png;base64,iVBOR"), std::string::npos);
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

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (test::run_program({"sh", "-c", std::string("command -v ") + name}).code == 0) return name;
  return "";
}

/// The viewer's page of a sample, in a folder of its own, and what a browser makes of it.
struct Viewer {
  test::TempDir dir;
  std::string file = (dir / "page.html").string();

  explicit Viewer(const std::string& pdf) {
    const auto made = test::docspec({"convert", pdf, "--model", "none", "-o", file});
    EXPECT_EQ(made.code, 0) << made.err;
  }
  /// The page after its script and `action`, which puts what it saw into document.title. Without
  /// the page's own policy, which lets no action run.
  std::string title_after(const std::string& action, const std::string& hash = "") const {
    std::string html = test::read_file(file);
    const size_t policy = html.find("<meta http-equiv");
    html.erase(policy, html.find('>', policy) + 1 - policy);
    return title_of(html, action, hash);
  }
  std::string title_of(std::string html, const std::string& action, const std::string& hash) const {
    html.insert(html.rfind("</body>"),
                "<script>addEventListener('load', () => setTimeout(async () =>"
                " { const key = k => document.dispatchEvent(new KeyboardEvent("
                "'keydown', { key: k, bubbles: true }));" +
                    action + " }, 300));</script>");
    const std::string seen = dom(html, hash);
    const size_t at = seen.find("<title>") + 7;
    return seen.substr(at, seen.find("</title>") - at);
  }
  /// What a browser has made of the page after some seconds.
  std::string dom(const std::string& html, const std::string& hash = "") const {
    const std::string page = (dir / "acted.html").string();
    test::write_file(page, html);
    const auto seen = test::run_program(
        {browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,800",
         "--user-data-dir=" + (dir / "profile").string(), "--virtual-time-budget=5000",
         "--run-all-compositor-stages-before-draw", "--dump-dom", "file://" + page + hash});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return seen.out;
  }
};

const std::string kReport = DOCSPEC_SOURCE_DIR "/share/samples/report.pdf";

/// A PDF of `pages` pages of samples.
std::string write_long_pdf(const test::TempDir& dir, int pages) {
  std::vector<std::string> merge = {"qpdf", "--empty", "--pages"};
  const std::string paper = DOCSPEC_SOURCE_DIR "/share/samples/paper.pdf";
  for (int i = 0; i < pages; ++i) merge.insert(merge.end(), {i % 2 ? kReport : paper, "1"});
  const std::string out = (dir / "long.pdf").string();
  merge.insert(merge.end(), {"--", out});
  EXPECT_EQ(test::run_program(merge).code, 0);
  return out;
}

TEST(HtmlViewer, AHundredPagesStayBelowEightMegabytes) {
  const test::TempDir dir;
  const Viewer viewer(write_long_pdf(dir, 100));
  EXPECT_LT(std::filesystem::file_size(viewer.file), 8'000'000u);
}

#define NEEDS_BROWSER() \
  if (browser().empty()) GTEST_SKIP() << "skipped: no Chromium here; packaging/deps --viewer"

TEST(HtmlViewer, RunsNoScriptButItsOwn) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  const std::string html = test::read_file(viewer.file);
  EXPECT_EQ(viewer.title_of(html, "document.title = 'not the viewer';", ""), kReport);
  const std::string own = "const show =";
  ASSERT_NE(html.find(own), html.npos);
  std::string marked = html;  // a change of the viewer's own script stops it, too
  marked.replace(marked.find(own), own.size(), "document.title = 'changed'; const show =");
  EXPECT_EQ(viewer.title_of(marked, "", ""), kReport);
  // Seen by a mark that the script makes at once: images wait for a frame, which a busy machine may
  // not draw before the browser's time is over.
  EXPECT_NE(viewer.dom(html, "#b1-2").find("class=\"pin\""), std::string::npos)
      << "the viewer's own script runs: it marks the block of the address";
}

TEST(HtmlViewer, AnAddressMarksABlockAndItsBox) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  EXPECT_EQ(viewer.title_after("document.title = all('.pin').map(e => e.tagName).join(' ') + ' ' "
                               "+ all('.pin')[1].textContent;",
                               "#b1-2"),
            "rect H1 Survey of the North Harbour, 2023");
}

TEST(HtmlViewer, AClickStaysUntilTheNextOneOrEscape) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  EXPECT_EQ(viewer.title_after(
                "const out = [], blocks = all('.text [data-block]');"
                "const say = () => out.push(all('.pin').map(e => e.dataset.block).join('+'));"
                "blocks[1].click(); blocks[2].dispatchEvent(new MouseEvent('mouseover', { bubbles: "
                "true })); say(); blocks[3].click(); say(); key('Escape'); say();"
                "document.title = out.join(' ') + '.' + blocks[1].dataset.block + '/' + "
                "blocks[3].dataset.block;"),
            "1-1+1-1 1-3+1-3 .1-1/1-3");
}

TEST(HtmlViewer, KeysGoThroughPagesAndBlocks) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  EXPECT_EQ(
      viewer.title_after(
          "const out = [], at = () => out.push(document.activeElement.dataset.block || "
          "document.activeElement.id);"
          "key('j'); at(); key('ArrowDown'); at(); key('ArrowRight'); at(); key('ArrowLeft'); "
          "at(); key('Enter'); out.push(all('.pin').length); key('/'); at();"
          "document.title = out.join(' ');"),
      "1-0 1-1 2-0 1-0 2 search");
}

TEST(HtmlViewer, SearchLeavesThePagesThatHaveTheWord) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  EXPECT_EQ(
      viewer.title_after(
          "const box = one('search'); box.value = 'SURVEY of the north'; box.dispatchEvent(new "
          "Event('input')); const n = entries.filter(e => !e.hidden).length; "
          "box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));"
          "document.title = n + ' ' + one('found').textContent;"),
      "1 1 of 2");
}

TEST(HtmlViewer, ImagesAreLoadedWhenTheyComeIntoSight) {
  NEEDS_BROWSER();
  const test::TempDir dir;
  const Viewer viewer(write_long_pdf(dir, 40));
  const std::string loaded = viewer.title_after(
      "await new Promise(done => setTimeout(done, 1000));"
      "document.title = all('.paper img').filter(i => i.complete && i.naturalWidth).length;");
  EXPECT_GE(std::stoi(loaded), 1) << loaded;
  EXPECT_LT(std::stoi(loaded), 20) << "of 40";
}

TEST(HtmlViewer, ANarrowScreenNeedsNoScrollingSideways) {
  NEEDS_BROWSER();
  const Viewer viewer(kReport);
  // A frame of 390 pixels: a window of the browser itself cannot be so narrow.
  test::write_file(
      viewer.dir / "phone.html",
      "<title>x</title><iframe src=\"page.html\" width=\"390\" height=\"800\"></iframe>"
      "<script>addEventListener('load', () => setTimeout(() => { const e = "
      "document.querySelector('iframe').contentDocument.documentElement; "
      "document.title = e.clientWidth < 400 && e.scrollWidth === e.clientWidth ? 'fits' : "
      "e.scrollWidth; }, 500));</script>");
  const auto seen = test::run_program({browser(), "--headless=new", "--no-sandbox", "--disable-gpu",
                                       "--allow-file-access-from-files",
                                       "--user-data-dir=" + (viewer.dir / "profile").string(),
                                       "--virtual-time-budget=3000", "--dump-dom",
                                       "file://" + (viewer.dir / "phone.html").string()});
  EXPECT_NE(seen.out.find("<title>fits</title>"), std::string::npos) << seen.out.substr(0, 300);
}

}  // namespace
}  // namespace docspec

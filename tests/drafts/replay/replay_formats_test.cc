// Files that other tools wrote, read as drafts.
#include "drafts/replay/replay_formats.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/document/page_blocks.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

const std::string kPpStructure =
    R"({"input_path":"a.pdf","page_index":2,"width":1200,"height":1600,"parsing_res_list":[
  {"block_label":"doc_title","block_content":"A title","block_bbox":[100.4,50,900,90]},
  {"block_label":"text","block_content":"Some text.","block_bbox":[100,120,900,300]},
  {"block_label":"table","block_content":"<html><body><table><tr><td>1</td></tr></table></body></html>","block_bbox":[100,320,900,500]},
  {"block_label":"image","block_content":"","block_bbox":[100,520,900,700]}]})";

const std::string kMinerU =
    R"([{"type":"text","text":"A title","text_level":1,"bbox":[80,40,700,80],"page_idx":0},
  {"type":"equation","text":"$$\nx^2\n$$","text_format":"latex","bbox":[80,100,700,150],"page_idx":0},
  {"type":"table","table_caption":["Table 1: numbers"],"table_body":"<table><tr><td>1</td></tr></table>","bbox":[80,200,700,300],"page_idx":1},
  {"type":"list","list_items":["- one","- two"],"bbox":[80,320,700,400],"page_idx":1}])";

const std::string kHocr = R"(<?xml version="1.0"?><html><body>
<div class='ocr_page' title='image "a.png"; bbox 0 0 1000 1400; ppageno 0; scan_res 200 200'>
 <p class='ocr_par' title="bbox 50 100 400 160">
  <span class='ocr_line' title="bbox 50 100 400 125"><span class='ocrx_word' title='bbox 50 100 150 125; x_wconf 96'>Hello</span>
   <span class='ocrx_word' title='bbox 160 100 300 125; x_wconf 90'>wide</span></span>
  <span class='ocr_line' title="bbox 50 135 400 160"><span class='ocrx_word' title='bbox 50 135 150 160; x_wconf 84'>world</span></span>
 </p></div></body></html>)";

TEST(ReplayFormats, PpStructureHasKindsBoxesAndItsPage) {
  const DraftsFile file = parse_replay_file(kPpStructure, "a_res.json");
  ASSERT_EQ(file.pages.size(), 1u);
  const PageDrafts& page = file.pages[0];
  EXPECT_EQ(page.page, 3);
  EXPECT_EQ(page.width_px, 1200);
  ASSERT_EQ(page.regions.size(), 4u);
  EXPECT_EQ(page.regions[0].kind, RegionKind::title);
  EXPECT_EQ(page.regions[0].box, (Box{100, 50, 900, 90}));
  EXPECT_EQ(page.regions[3].kind, RegionKind::picture);
  ASSERT_EQ(page.drafts.size(), 3u);
  EXPECT_EQ(page.drafts[2].text, "<table><tr><td>1</td></tr></table>");
}

TEST(ReplayFormats, MinerUBecomesBlocksWithLatexAndTables) {
  const DraftsFile file = parse_replay_file(kMinerU, "content_list.json");
  ASSERT_EQ(file.pages.size(), 2u);
  const auto first = page_blocks(file.pages[0]).blocks, second = page_blocks(file.pages[1]).blocks;
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].kind, RegionKind::title);
  EXPECT_EQ(first[1].latex, "x^2");
  ASSERT_EQ(second.size(), 4u);
  EXPECT_EQ(second[0].text, "Table 1: numbers");
  EXPECT_EQ(second[1].html, "<table><tr><td>1</td></tr></table>");
  EXPECT_EQ(second[3].kind, RegionKind::list_item);
}

TEST(ReplayFormats, HocrKeepsWordsAndConfidences) {
  const DraftsFile file = parse_replay_file(kHocr, "a.hocr");
  ASSERT_EQ(file.pages.size(), 1u);
  ASSERT_EQ(file.pages[0].drafts.size(), 1u);
  const Draft& draft = file.pages[0].drafts[0];
  EXPECT_EQ(draft.text, "Hello wide world");
  EXPECT_EQ(draft.words.size(), 3u);
  EXPECT_NEAR(draft.confidence, 0.9, 1e-9);
}

TEST(ReplayFormats, OtherFilesAreRefusedByName) {
  for (const char* text : {"", "plain words", "<html><body>no page</body></html>", "[1,2]", "7",
                           R"({"parsing_res_list":[{"block_label":"text"}]})", R"([{"type":5}])"}) {
    try {
      parse_replay_file(text, "odd.json");
      FAIL() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::input_file) << text;
      EXPECT_TRUE(std::string(e.what()).starts_with("odd.json: ")) << e.what();
    }
  }
}

TEST(ReplayFormats, TesseractsHocrReplaysToItsText) {
  if (test::run_program({"sh", "-c", "command -v tesseract && command -v pdftoppm"}).code != 0)
    GTEST_SKIP() << "skipped: no tesseract or pdftoppm on this machine";
  const test::TempDir dir;
  const std::string page = (dir.path() / "page").string();
  const std::string pdf = DOCSPEC_SOURCE_DIR "/share/samples/letter.pdf";
  ASSERT_EQ(test::run_program({"pdftoppm", "-r", "150", "-png", "-singlefile", pdf, page}).code, 0);
  ASSERT_EQ(test::run_program({"tesseract", page + ".png", page, "hocr"}).code, 0);
  const auto result =
      test::docspec({"convert", pdf, "--model", "none", "--draft", "replay:" + page + ".hocr"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("The Lighthouse at Grey Point"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace docspec

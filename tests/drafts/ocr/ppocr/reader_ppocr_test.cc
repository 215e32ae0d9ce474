// PP-OCR with its published weights: `packaging/test --ocr` installs them and runs this.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/flags/share.h"
#include "drafts/ocr/ppocr/reader.h"
#include "tests/support/command.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/png_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

const std::vector<std::string> kText = {"The harbour office asked for a survey of the basin",
                                        "before the quay is repaired, in March 2023.",
                                        "Depths (in metres): 6.4, 7.1 and 12.9 below datum."};

PageImage page(const std::vector<std::string>& text = kText) {
  test::PdfPage page;
  for (size_t i = 0; i < text.size(); ++i)
    page.lines.push_back({72, 700 - 20 * double(i), text[i], 12});
  return open_document(test::input(test::make_pdf({page})), "")->raster(1, 200, 50'000'000).image;
}

TEST(PpOcr, ReadsPrintWithTheBoxesOfItsWords) {
  const auto reader = ppocr::make_reader(ppocr_folder(), {.precision = ppocr::Precision::f32});
  const PageImage image = page();
  const auto boxes = reader->find(image);
  ASSERT_EQ(boxes.size(), kText.size());
  const auto lines = reader->read(image, boxes);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].text, kText[i]);
    EXPECT_GT(lines[i].confidence, 0.95);
    ASSERT_EQ(lines[i].words.size(), size_t(std::count(kText[i].begin(), kText[i].end(), ' ')) + 1);
    int right = 0;
    for (const Word& word : lines[i].words) {
      EXPECT_GE(word.box.x0, right) << word.text;
      EXPECT_NEAR(word.font_size_pt, 12, 2) << word.text;
      right = word.box.x1;
    }
  }
}

TEST(PpOcr, WideBlanksThatAreNotReadPartWordsAllTheSame) {
  const auto reader = ppocr::make_reader(ppocr_folder());
  const PageImage image = page({"Smithtown, FL  39999"});
  const auto lines = reader->read(image, reader->find(image));
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].words.size(), 3u) << lines[0].text;
  EXPECT_EQ(lines[0].words[2].text, "39999");
}

TEST(PpOcr, TheFastNumbersReadWhatThePublishedOnesRead) {
  const PageImage image = page();
  std::vector<std::string> texts[2];
  for (const auto precision : {ppocr::Precision::f32, ppocr::Precision::fastest}) {
    const auto reader = ppocr::make_reader(ppocr_folder(), {.precision = precision});
    for (const auto& line : reader->read(image, reader->find(image)))
      texts[int(precision)].push_back(line.text);
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(PpOcr, AScanIsReadOnTheCommandLine) {
  const test::TempDir folder;
  const std::string scan = (folder / "scan.png").string();
  test::write_file(scan, test::png_bytes(page()));
  const auto run = test::docspec({"convert", scan, "--model", "none", "--draft", "ppocr"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const std::string& line : kText)
    EXPECT_NE(run.out.find(line.substr(0, 20)), std::string::npos) << run.out;
}

}  // namespace
}  // namespace docspec

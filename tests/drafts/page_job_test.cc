#include "drafts/page_job.h"

#include <gtest/gtest.h>

#include "drafts/registry.h"
#include "drafts/text/region_text.h"
#include "tests/support/png_writer.h"

namespace docspec {
namespace {

/// OCR of two engines, the second of which it takes when the first has read a page: that sees two
/// columns where the first sees lines of full width.
class TwoEngines : public Drafter {
 public:
  std::string_view name() const override { return second_ ? "second" : "first"; }
  DrafterRole role() const override { return DrafterRole::raster; }
  std::vector<Box> text_lines(const PageInput&) override {
    std::vector<Box> lines;
    for (int y = 200; y < 800; y += 40) {
      if (!second_) lines.push_back({100, y, 1500, y + 25});
      if (second_) lines.push_back({100, y, 700, y + 25}), lines.push_back({900, y, 1500, y + 25});
    }
    return lines;
  }
  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    second_ = true;
    given_ = regions;
    std::vector<Word> words;
    for (const Box& line : text_lines(page)) words.push_back({"word", line});
    return region_drafts(regions, words, page.dpi, name());
  }
  const std::vector<Region>& given() const { return given_; }

 private:
  bool second_ = false;
  std::vector<Region> given_;
};

TEST(PageJob, AnEngineThatIsChosenForAPageReadsItByItsOwnLines) {
  PageImage scan(1, 1600, 2200, 200);
  for (int y = 200; y < 800; y += 40)
    for (int x = 100; x < 700; ++x) scan.row(y)[3 * x + 1] = 0;
  const auto reader = open_document(
      std::make_shared<InputBytes>(InputBytes{"scan.png", test::png_bytes(scan)}), "");
  const PageDraftOptions options;
  const auto detector = detector_registry().front().make(options.config);
  PageJob job(options, *detector, *reader, 1);
  job.look_at_ink(true);
  TwoEngines ocr;
  LazyFormulaReader none({});
  job.read_raster({&ocr}, none);
  ASSERT_FALSE(ocr.given().empty());
  for (const Region& region : ocr.given()) EXPECT_LT(region.box.width(), 700);
}

}  // namespace
}  // namespace docspec

// Scans: which of two readings stands.
#include "core/letters/ocr_check.h"

#include <gtest/gtest.h>

#include "tests/support/letter_page.h"

namespace docspec {
namespace {

using test::LetterPage;

/// A scanned page: OCR's words with their confidence, and the model's with its margin.
struct Scan {
  LetterPage page;
  std::vector<Draft> drafts;
  std::vector<Region> regions;
  std::vector<ReadWord> read;
  SuretyByOcr surety{{"tesseract", {2, 1, -1, 0}}};

  Scan(const std::string& ocr, const std::string& model, double confidence, float margin) {
    page.add_block(RegionKind::text, ocr);
    page.says(0, model);
    Draft draft{0, "tesseract", ocr, confidence, page.layer};
    for (Word& word : draft.words) word.confidence = confidence;
    drafts.push_back(std::move(draft));
    page.layer.clear();
    for (const MarkedWord& word : marked_words(model, false))
      read.push_back({fold(word.letters), margin});
  }

  PageSources sources(bool measured = true) const {
    return {144, {}, false, nullptr, nullptr, drafts, regions, read, measured ? &surety : nullptr};
  }
  std::string text(bool measured = true) {
    reconcile(LetterRule::automatic, sources(measured), page.page);
    return page.text(0);
  }
};

const std::string kPage = "The harbour office asked for 31 tonnes of granite";
const std::string kModel = "The harbor office asked for 37 tonnes of granite";

TEST(Surety, RisesWithOcrsConfidenceAndFallsWithTheModelsMargin) {
  const Surety surety{1, 0.5, -0.7};
  EXPECT_GT(surety.of_ocr(0.99, 1), surety.of_ocr(0.6, 1));
  EXPECT_GT(surety.of_ocr(0.9, 1), surety.of_ocr(0.9, 6));
  for (const double confidence : {0.0, 1.0})
    for (const double margin : {0.0, 1e9}) {
      EXPECT_GT(surety.of_ocr(confidence, margin), 0);
      EXPECT_LT(surety.of_ocr(confidence, margin), 1);
    }
}

TEST(OcrCheck, TheSurerReadingStands) {
  EXPECT_EQ(Scan(kPage, kModel, 0.99, 0.5f).text(), kPage);
  EXPECT_EQ(Scan(kPage, kModel, 0.4, 15).text(), kModel);
}

TEST(OcrCheck, ANumberOfWhichNeitherIsSureIsDoubtful) {
  Scan close(kPage, kModel, 0.5, 2);
  close.text();
  EXPECT_EQ(count_letters(close.page.page).doubtful, 1u);
  Scan sure(kPage, kModel, 0.99, 0.5f);
  sure.text();
  EXPECT_EQ(count_letters(sure.page.page).doubtful, 0u);
}

TEST(OcrCheck, AModelThatWasNotMeasuredKeepsItsLettersAndItsNumbersAreDoubtful) {
  Scan scan(kPage, kModel, 0.99, 0.5f);
  EXPECT_EQ(scan.text(false), kModel);
  EXPECT_EQ(count_letters(scan.page.page).refused, 2u);
  EXPECT_EQ(count_letters(scan.page.page).doubtful, 1u);
}

TEST(OcrCheck, WordsOfTheModelAloneStandWhereItIsSureOfThem) {
  const std::string more = "The harbour office never asked for 31 tonnes of granite";
  for (const double least : {4, 6}) {
    Scan scan(kPage, more, 0.99, 5);
    scan.surety["tesseract"].lone = least;
    EXPECT_EQ(scan.text(), least < 5 ? more : kPage);
    EXPECT_EQ(count_letters(scan.page.page).removed, least < 5 ? 0u : 1u);
  }
}

TEST(OcrCheck, BarsOfATableThatWasWrittenAsTextGo) {
  Scan scan("Cyprus 0.21 0.43", "Cyprus | 0.21 | 0.43", 0.99, 12);
  EXPECT_EQ(scan.text(), "Cyprus 0.21 0.43");
}

TEST(OcrCheck, APageOfWhichFewWordsAreSharedIsTheSurerOnes) {
  const std::string twice = kPage + " " + kPage + " ";
  const auto share = [&](const std::string& model, double confidence, float margin) {
    Scan scan(twice + kPage, model, confidence, margin);
    return share_where_ocr_read(LetterRule::automatic, scan.sources());
  };
  EXPECT_FALSE(share(twice + kModel, 0.99, 0.5f)) << "25 of 27";
  const std::string invented = "The ship was of the sea and of the ship";
  ASSERT_TRUE(share(invented, 0.99, 0.5f));
  EXPECT_LT(*share(invented, 0.99, 0.5f), 0.5);
  EXPECT_FALSE(share(invented, 0.3, 15)) << "the model is surer";
}

TEST(OcrCheck, ABlockOfWhichFewWordsAreSharedIsTheSurerOnes) {
  const std::string ocr = "Bulgaria 2.3 5.5 Cyprus 0.21 0.43 Estonia 1.1 3.4";
  const std::string model = "Bugaria 2.32 Cyprus 0.21 0.21 0.21 0.21";
  for (const bool sure : {true, false}) {
    Scan scan(ocr, model, sure ? 0.99 : 0.3, sure ? 0.5f : 15);
    scan.drafts[0].region = 7;
    scan.drafts[0].marks = {{TextMark::Kind::bold, 0, 8}};
    const PointBox& box = scan.page.page.blocks[0].box_pt;
    scan.regions.push_back({7,
                            0,
                            RegionKind::text,
                            {int(2 * box.x0), int(2 * box.y0), int(2 * box.x1), int(2 * box.y1)}});
    const std::string text = scan.text();
    EXPECT_EQ(text == ocr, sure) << text;
    EXPECT_EQ(scan.page.page.blocks[0].source == "tesseract", sure);
    EXPECT_EQ(scan.page.page.blocks[0].marks.size(), sure ? 1u : 0u);
    EXPECT_EQ(count_letters(scan.page.page).replaced > 0, sure);
  }
}

TEST(OcrCheck, ABlockWithinOneThatBecameOcrsIsNotThereTwice) {
  const std::string ocr = "Bulgaria 2.3 5.5 Cyprus 0.21 0.43 Estonia 1.1 3.4";
  Scan scan(ocr, "Bugaria 2.32 Cyprus 0.21 0.21 0.21 0.21", 0.99, 0.5f);
  scan.drafts[0].region = 7;
  Block& first = scan.page.page.blocks[0];
  const PointBox box = first.box_pt;
  const Box px{int(2 * box.x0), int(2 * box.y0), int(2 * box.x1), int(2 * box.y1)};
  scan.regions.push_back({7, 0, RegionKind::text, px});
  Block head = first, picture = first, below = first;
  head.text = "Bulgaria 2.3";
  head.box_pt.x1 = box.x0 + 100;
  picture.kind = RegionKind::picture;
  below.box_pt = {box.x0, box.y1 + 50, box.x1, box.y1 + 60};
  for (const Block& block : {head, picture, below}) scan.page.page.blocks.push_back(block);
  EXPECT_EQ(scan.text(), ocr);
  ASSERT_EQ(scan.page.page.blocks.size(), 3u);
  EXPECT_EQ(scan.page.page.blocks[1].kind, RegionKind::picture);
  EXPECT_EQ(scan.page.page.blocks[2].order, 2);
}

TEST(OcrCheck, AParagraphIsNotReplacedByATablesDraft) {
  const std::string ocr = "Bulgaria 2.3 5.5 Cyprus 0.21 0.43 Estonia 1.1 3.4";
  Scan scan(ocr, "Bugaria 2.32 Cyprus 0.21 0.21 0.21 0.21", 0.99, 0.5f);
  scan.drafts[0].region = 7;
  scan.drafts[0].text = "<table><tr><td>" + ocr + "</td></tr></table>";
  const PointBox& box = scan.page.page.blocks[0].box_pt;
  scan.regions.push_back({7,
                          0,
                          RegionKind::table,
                          {int(2 * box.x0), int(2 * box.y0), int(2 * box.x1), int(2 * box.y1)}});
  EXPECT_EQ(scan.text().find("<table"), std::string::npos);
}

TEST(OcrCheck, WordsThatTheModelsBoxCutsOffAreThoseOfTheRegion) {
  Scan scan(kPage, kModel, 0.99, 0.5f);
  PointBox& box = scan.page.page.blocks[0].box_pt;
  scan.regions.push_back(
      {7,
       0,
       RegionKind::text,
       {int(2 * box.x0), int(2 * box.y0 - 100), int(2 * box.x1), int(2 * box.y1 + 100)}});
  box.x0 += 150;
  scan.surety["tesseract"].lone = 9;
  EXPECT_EQ(scan.text(), kPage);
}

TEST(OcrCheck, MarginsAreThoseOfTheWordsOwnTokens) {
  LetterPage page;
  page.add_block(RegionKind::text, "two words and another");
  std::vector<BlockLetters> blocks;
  blocks.emplace_back(page.page.blocks[0]);
  const std::vector<ReadWord> read = {
      {fold("<p>"), 9}, {fold("two"), 1}, {fold("words"), 2}, {fold("another"), 4}};
  const auto margins = margins_of(blocks, read);
  ASSERT_EQ(margins.size(), 1u);
  EXPECT_EQ(margins[0], (std::vector<float>{1, 2, -1, 4}));
}

}  // namespace
}  // namespace docspec

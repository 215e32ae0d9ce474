// Pages of words and models that misread them.
#include "core/letters/reconcile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/letters/words/word_check.h"
#include "tests/support/letter_page.h"

namespace docspec {
namespace {

using test::LetterPage;
using test::TruthOcr;

TEST(Reconcile, LettersBecomeThePagesAndStructureStays) {
  LetterPage page;
  page.add_block(RegionKind::section_header, "2. The tower");
  page.add_block(RegionKind::text,
                 "The tower is 31 metres high and stands on a foundation of granite blocks.");
  page.says(0, "2. The twoer");
  page.says(1,
            "The **twoer** is 37 metre high and and stands on a foudation of of granite blocks.");
  page.page.blocks[1].markdown_text = true;
  page.reconcile();
  EXPECT_EQ(page.text(0), "2. The tower");
  EXPECT_EQ(page.text(1),
            "The **tower** is 31 metres high and stands on a foundation of granite blocks.");
  EXPECT_GE(count_letters(page.page).replaced, 4u);
  EXPECT_GE(count_letters(page.page).removed, 1u);
}

TEST(Reconcile, WordsThatTheModelLeftOutStandInTheirPlace) {
  LetterPage page;
  page.add_block(RegionKind::text,
                 "Tickets cost 4.50 for adults and nothing for children below six.");
  page.says(0, "Tickets cost for adults and nothing for children below");
  page.reconcile();
  EXPECT_EQ(page.text(0), "Tickets cost 4.50 for adults and nothing for children below six.");
  EXPECT_EQ(count_letters(page.page).inserted, 2u);
}

TEST(Reconcile, WordsWithoutRoomGoAndOthersAreMarked) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.layer.erase(page.layer.begin() + 4);  // "for" is drawn as a picture
  page.says(0, "The harbour big office asked for a survey of the northern basin");
  page.reconcile();
  EXPECT_EQ(page.text(0), "The harbour office asked for a survey of the northern basin");
  EXPECT_EQ(count_letters(page.page).removed, 1u);
  EXPECT_EQ(count_letters(page.page).unfounded, 1u);
}

TEST(Reconcile, TheRestOfAParagraphInTheNextColumnStays) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.paint();
  page.says(0, "The harbor office asked for a survey of the northern basin and its quay.");
  page.reconcile();
  EXPECT_EQ(page.text(0),
            "The harbour office asked for a survey of the northern basin and its quay.");
  EXPECT_EQ(count_letters(page.page).unfounded, 3u);
}

TEST(Reconcile, TheRestOfAParagraphIsFoundInTheNextColumn) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.add_block(RegionKind::text, "and its quay is repaired in spring.");
  page.add_block(RegionKind::text, "Tickets cost 4.50 for adults.");
  page.paint();
  page.page.blocks.erase(page.page.blocks.begin() + 1);
  page.says(0,
            "The harbor office asked for a survey of the northern basin and its quai is repaired "
            "in sprnig.");
  page.reconcile();
  EXPECT_EQ(page.text(0),
            "The harbour office asked for a survey of the northern basin and its quay is repaired "
            "in spring.");
  EXPECT_EQ(page.text(1), "Tickets cost 4.50 for adults.");
}

TEST(Reconcile, WhatAnotherBlockSaysAlreadyGoesAndIsTold) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin.");
  page.add_block(RegionKind::text, "Tickets cost 4.50 for adults.");
  page.paint();
  Block again = page.page.blocks[0];
  again.text = "The harbor office asked for a survye of the basin.";
  page.page.blocks.push_back(again);
  again.text = "Tickets cost 4.50 for adults.";
  again.box_pt = {0, 0, page.page.width_pt, page.page.height_pt};  // its place is not known
  page.page.blocks.insert(page.page.blocks.begin(), again);
  page.reconcile();
  ASSERT_EQ(page.page.blocks.size(), 2u);
  EXPECT_EQ(page.text(0), "The harbour office asked for a survey of the northern basin.");
  EXPECT_EQ(page.text(1), "Tickets cost 4.50 for adults.");
  EXPECT_EQ(page.page.blocks[1].id, 1);
  EXPECT_EQ(count_letters(page.page).removed, 2u);
}

/// A picture of the model over [x0, x1) of a block's box.
Block picture_over(const Block& block, double x0, double x1) {
  Block out;
  out.kind = RegionKind::picture;
  out.box_pt = {x0, block.box_pt.y0, x1, block.box_pt.y1};
  return out;
}

TEST(Reconcile, PicturesAreNoLargerThanWhatTheyShow) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin.");
  page.add_block(RegionKind::text, "Tickets cost 4.50 for adults.");
  page.paint();
  const Block text = page.page.blocks[0];
  const Box box = page.image->to_pixels(text.box_pt);
  const Box photo{box.x1 + 20, box.y0, box.x1 + 60, box.y1};
  for (int y = photo.y0; y < photo.y1; ++y)
    std::fill_n(page.image->row(y) + size_t(photo.x0) * 3, size_t(photo.width()) * 3, uint8_t(90));
  page.page.blocks.push_back(picture_over(text, text.box_pt.x0, text.box_pt.x1 + 40));
  page.page.blocks.push_back(picture_over(text, text.box_pt.x0, text.box_pt.x1));
  page.reconcile();
  ASSERT_EQ(page.page.blocks.size(), 3u);  // the second one shows nothing
  EXPECT_EQ(page.image->to_pixels(page.page.blocks[2].box_pt), photo);
}

TEST(Reconcile, APictureOfWordsIsText) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin.");
  page.add_block(RegionKind::text, "Tickets cost 4.50 for adults.");
  page.paint();
  const Block lost = page.page.blocks[1];
  page.page.blocks[1] = picture_over(lost, lost.box_pt.x0, lost.box_pt.x1);
  page.reconcile();
  ASSERT_EQ(page.page.blocks.size(), 2u);
  EXPECT_EQ(page.page.blocks[1].kind, RegionKind::text);
  EXPECT_EQ(page.text(1), "Tickets cost 4.50 for adults.");
}

TEST(Reconcile, APassageIsThePagesWhereOcrReadsNearlyItsLettersAndItsNumbers) {
  const std::string page = "S/36 and AS/400 systems. In the years since, Jim has held many roles",
                    model = "Executive Briefing Center in IBM Executive Briefing Center and";
  EXPECT_EQ(passage_verdict("S/36 and AS/400 systerns. In the years since Jim has held many roles",
                            page, model),
            Verdict::page);
  EXPECT_EQ(passage_verdict("S/38 and AS/400 systems. In the years since, Jim has held many roles",
                            page, model),
            Verdict::none)
      << "another number";
  EXPECT_EQ(passage_verdict(model, page, model), Verdict::model);
  EXPECT_EQ(
      passage_verdict("Figure of a tower that stands on granite blocks by the sea", page, model),
      Verdict::unlike);
  EXPECT_EQ(passage_verdict("", page, model), Verdict::none);
}

TEST(Reconcile, NamesBetweenAngleBracketsAreWords) {
  LetterPage page;
  page.add_block(RegionKind::text, "create the <table name> with <name> here");
  page.says(0, "<b>create</b> teh <table name> with <name> here");
  page.reconcile();
  EXPECT_EQ(page.text(0), "<b>create</b> the <table name> with <name> here");
}

TEST(Reconcile, LeadersAreNoWords) {
  LetterPage page;
  page.add_block(RegionKind::text, "Roles . . . . . . 7 and name ________ here");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  page.says(0, "Rolls..... 7 and name here");
  page.reconcile();
  EXPECT_EQ(page.text(0), "Roles..... 7 and name here");
  EXPECT_EQ(count_letters(page.page).differences(), 1u);
}

TEST(Reconcile, AFontWhoseCodesAreShiftedIsNotBelievedWhereTheOthersAre) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.add_block(RegionKind::text, "Enhance the performance of your database operations");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  for (Word& word : page.layer) {
    const bool second = word.box.y0 > page.layer.front().box.y0 + 20;
    word.font = second ? "Subset" : "Text";
    for (char& c : word.text)
      if (second) c = char(c - 29);
  }
  page.says(0, "The harbor office asked for a survey of the northern basin");
  page.says(1, "Enhance the performence of your database operations");
  page.reconcile();
  EXPECT_EQ(page.text(0), "The harbour office asked for a survey of the northern basin");
  EXPECT_EQ(page.text(1), "Enhance the performence of your database operations");
}

TEST(Reconcile, ABlockThatNoModelHasWrittenKeepsItsLetters) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey");
  page.says(0, "The har-bour office asked for a survey");
  page.page.blocks[0].source = "text-layer";
  page.reconcile();
  EXPECT_EQ(page.text(0), "The har-bour office asked for a survey");
  ASSERT_EQ(page.page.blocks[0].words.size(), 1u);
  EXPECT_EQ(page.page.blocks[0].words[0].source, WordSource::document);
  EXPECT_EQ(count_letters(page.page).differences(), 0u);
}

TEST(Reconcile, HyphenationsStayJoinedAndFormulasAreLeftAlone) {
  LetterPage page;
  page.add_block(RegionKind::text, "We see that x2 +y = 4 holds for the founda- tion of all walls");
  for (Word& word : page.layer)
    if (word.box.x0 > 0 &&
        (word.text == "tion" || word.text == "of" || word.text == "all" || word.text == "walls"))
      word.box.y0 += 30, word.box.y1 += 30;
  page.page.blocks[0].box_pt.y1 += 15;
  page.says(0, "We see tat \\(x^2 + y = 4\\) holds for the fundation of all wals");
  page.reconcile();
  EXPECT_EQ(page.text(0), "We see that \\(x^2 + y = 4\\) holds for the foundation of all walls");
}

TEST(Reconcile, CellsKeepTheirPlaces) {
  LetterPage page;
  page.add_block(RegionKind::table, "Item 2023 2024 Revenue 1,234 5,678 Costs 900 1,001");
  page.page.blocks[0].html =
      "<table><tr><td>Item</td><td>2023</td><td>2024</td></tr><tr><td>Revenue</td><td>1,284</td>"
      "<td>5,678</td></tr><tr><td>Cost</td><td>900</td><td>1,007</td></tr></table>";
  page.says(0, "Item 2023 2024\nRevenue 1,284 5,678\nCost 900 1,007");
  page.reconcile();
  EXPECT_EQ(*page.page.blocks[0].html,
            "<table><tr><td>Item</td><td>2023</td><td>2024</td></tr><tr><td>Revenue</td>"
            "<td>1,234</td><td>5,678</td></tr><tr><td>Costs</td><td>900</td><td>1,001</td></tr>"
            "</table>");
  EXPECT_EQ(page.text(0), "Item 2023 2024\nRevenue 1,234 5,678\nCosts 900 1,001");
}

TEST(Reconcile, CellsOfSeveralLinesTakeNoWordOfAnother) {
  LetterPage page;
  page.add_block(RegionKind::table, "Inference mAP time(secs) 6 6 0.955");
  page.page.blocks[0].html =
      "<table><tr><td>Inference time (secs)</td><td>mAP</td></tr><tr><td>6</td><td>0.938</td></tr>"
      "</table>";
  page.says(0, "");
  page.reconcile();
  EXPECT_EQ(page.page.blocks[0].html->find("time(secs) 6"), std::string::npos)
      << *page.page.blocks[0].html;
}

TEST(Reconcile, ListMarksAndPicturesStay) {
  LetterPage page;
  page.add_block(RegionKind::list_item, "• trim the wick at eight");
  page.says(0, "* tim the wick at eight");
  page.add_block(RegionKind::picture, "Axis of the plot");
  page.says(1, "");
  page.reconcile();
  EXPECT_EQ(page.text(0), "trim the wick at eight") << "the kind says that it is an item";
  EXPECT_EQ(page.text(1), "");
  page.page.blocks[0].markdown_text = true;
  page.says(0, "* tim the wick at eight");
  page.reconcile();
  EXPECT_EQ(page.text(0), "* trim the wick at eight") << "the mark is Markdown's";
}

TEST(Reconcile, BlocksWithoutBoxesAreFoundByTheirWords) {
  LetterPage page;
  const std::string first = "The harbour office asked for a survey of the northern basin";
  const std::string second = "The quay is repaired in spring when the water stands low";
  page.add_block(RegionKind::text, first);
  page.add_block(RegionKind::text, second);
  for (Block& block : page.page.blocks) block.box_pt = {0, 0, 612, 792};
  page.says(0, "The harbor office asked for a survey of the northern basin");
  page.says(1, "The quay is repaired in sprnig when the water stands");
  page.reconcile();
  EXPECT_EQ(page.text(0), first);
  EXPECT_EQ(page.text(1), "The quay is repaired in spring when the water stands");
}

TEST(Reconcile, TheModelsRuleLeavesAllAndTheDocumentsBelievesAnyLayer) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey");
  page.says(0, "The harbor office asked for a survey");
  page.trusted = false;
  page.reconcile(LetterRule::model);
  EXPECT_TRUE(page.page.blocks[0].words.empty());
  page.reconcile();
  EXPECT_EQ(page.text(0), "The harbor office asked for a survey");
  EXPECT_EQ(count_letters(page.page).refused, 1u);
  page.reconcile(LetterRule::document);
  EXPECT_EQ(page.text(0), "The harbour office asked for a survey");
}

/// 30 pages of 300 words, read with token errors.
struct Errors {
  size_t words = 0, before = 0, after = 0, digits = 0;
};

Errors errors_left(double rate, bool boxes, bool with_ocr) {
  std::mt19937 rng(uint32_t(1000 * rate) + 7);
  Errors out;
  for (int i = 0; i < 30; ++i) {
    LetterPage page;
    std::vector<std::string> truth;
    for (int b = 0; b < 6; ++b) {
      truth.push_back(test::report_text(50, rng));
      page.add_block(RegionKind::text, truth.back());
      page.says(size_t(b), test::with_token_errors(truth.back(), rate, rng));
      out.before += test::wrong_words(truth.back(), page.text(size_t(b)));
      if (!boxes) page.page.blocks.back().box_pt = {0, 0, 612, 792};
    }
    TruthOcr ocr(page.layer);
    page.paint();
    if (with_ocr) page.ocr = &ocr;
    page.reconcile();
    for (size_t b = 0; b < truth.size(); ++b) {
      out.words += 50;
      out.after += test::wrong_words(truth[b], page.text(b));
      out.digits += test::wrong_numbers(truth[b], page.text(b));
    }
  }
  std::printf(
      "token errors %4.1f %%, %s%s: %zu of %zu words wrong before, %zu after, %zu numbers\n",
      100 * rate, boxes ? "boxes" : "no boxes", with_ocr ? ", OCR" : "", out.before, out.words,
      out.after, out.digits);
  return out;
}

TEST(ReconcileTokenErrors, AtMostOneWordIn2000IsWrongAtOnePercentAndNoNumberAtAll) {
  EXPECT_EQ(errors_left(0, true, false).after, 0u);
  for (const bool ocr : {false, true}) {
    const Errors one = errors_left(0.01, true, ocr);
    EXPECT_GT(one.before, 90u);
    EXPECT_LE(one.after * 2000, one.words);
    EXPECT_EQ(one.digits, 0u);
    const Errors five = errors_left(0.05, true, ocr);
    EXPECT_LE(five.after * 500, five.words);
    EXPECT_EQ(five.digits, 0u);
    const Errors twenty = errors_left(0.2, true, ocr);
    EXPECT_LE(twenty.after * 50, twenty.words);
    EXPECT_EQ(twenty.digits, 0u);
  }
  EXPECT_LE(errors_left(0.01, false, false).after * 1000, 9000u);
  EXPECT_LE(errors_left(0.05, false, false).after * 100, 9000u);
}

}  // namespace
}  // namespace docspec

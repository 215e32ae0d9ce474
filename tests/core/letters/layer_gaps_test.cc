// Text layers in another order than the page is read, and such that lack words which it shows.
#include <gtest/gtest.h>

#include <sstream>

#include "core/letters/reconcile.h"
#include "core/letters/words/marked_words.h"
#include "core/letters/words/word_check.h"
#include "tests/support/letter_page.h"

namespace docspec {
namespace {

using test::LetterPage;
using test::TruthOcr;

/// Puts words on a page of LetterPage in lines from `x` to `right`, from `y` down.
void put(LetterPage& page, const std::string& text, int x, int y, int right) {
  constexpr int kLetter = 12, kHeight = 24, kLine = 30;
  std::istringstream in(text);
  int at = x;
  for (std::string word; in >> word;) {
    const int width = kLetter * int(word.size());
    if (at > x && at + width > right) at = x, y += kLine;
    page.layer.push_back({word, {at, y, at + width, y + kHeight}});
    at += width + kLetter;
  }
}

/// A page with one block of this box, in pixels, whose words are put there later.
LetterPage page_of(RegionKind kind, const Box& box, const std::string& says) {
  LetterPage page;
  page.add_block(kind, says);
  page.layer.clear();
  page.page.blocks[0].box_pt = {box.x0 / 2.0, box.y0 / 2.0, box.x1 / 2.0, box.y1 / 2.0};
  return page;
}

/// Sees nothing in any box.
class BlindOcr : public Drafter {
 public:
  std::string_view name() const override { return "tesseract"; }
  std::vector<Draft> draft(const PageInput&, const std::vector<Region>& regions) override {
    std::vector<Draft> out;
    for (const Region& region : regions) out.push_back({region.id, "tesseract", "", 0, {}});
    return out;
  }
};

TEST(LayerOrder, ColumnsInOneBlockAreReadAsTheFileHasThem) {
  const std::string left = "Implement roles and separation of duties in the database of the office";
  const std::string right = "This paper is intended for engineers who want to design and use them";
  LetterPage page = page_of(RegionKind::text, {90, 90, 1100, 400},
                            "Implement roles and separatiseparation of duties in the database of "
                            "the office This paper is intended for engneers who want to design and "
                            "use them");
  put(page, left, 100, 100, 400);
  put(page, right, 700, 100, 1000);
  page.reconcile();
  EXPECT_EQ(page.text(0), left + " " + right);
}

TEST(LayerOrder, AWordPartedBesideAnotherColumnIsOne) {
  LetterPage page =
      page_of(RegionKind::text, {90, 90, 420, 160}, "The walls stand on a fundation of granite");
  put(page, "The walls stand on a foun-", 100, 100, 420);
  put(page, "dation of granite", 100, 130, 420);
  page.layer.push_back({"a", {432, 100, 444, 124}});
  page.reconcile();
  EXPECT_EQ(page.text(0), "The walls stand on a foundation of granite");
}

TEST(LayerOrder, ANoteIsRaised) {
  LetterPage page =
      page_of(RegionKind::text, {90, 90, 1100, 130}, "The Ponemon Institutitute revealed that");
  put(page, "The Ponemon Institute", 100, 100, 1100);
  page.layer.back().space_after = false;
  const int end = page.layer.back().box.x1;
  page.layer.push_back({"2", {end, 98, end + 6, 110}});
  put(page, "revealed that", end + 18, 100, 1100);
  page.reconcile();
  EXPECT_EQ(page.text(0), "The Ponemon Institute² revealed that");
}

TEST(LayerGaps, WordsOfALayerThatIsCutOffStay) {
  const std::string text =
      "The survey tells how it syncs with Google Drive while Word integrates with OneDrive";
  LetterPage page;
  page.add_block(RegionKind::text, text);
  page.paint();
  page.layer.resize(7);
  page.reconcile();
  EXPECT_EQ(page.text(0), text);
}

TEST(LayerGaps, WordsBetweenWhichTheLayerHasNoneStay) {
  LetterPage page;
  page.add_block(RegionKind::text,
                 "Imagine a word processor that understands your style and drafts");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  std::erase_if(page.layer, [](const Word& word) {
    return word.text == "word" || word.text == "that" || word.text == "understands" ||
           word.text == "your";
  });
  page.says(0, "Imagine a word procesor that understands your style and drafts");
  page.reconcile();
  EXPECT_EQ(page.text(0), "Imagine a word processor that understands your style and drafts");
}

TEST(LayerGaps, AWordOfWhichTheLayerHasAPartStays) {
  LetterPage page;
  page.add_block(RegionKind::text,
                 "An IBM Redpaper publication tells of roles and of their duties");
  const Box& box = page.layer[2].box;  // its sign is a word of its own, which the layer then lacks
  Word sign{"tm", {box.x1, box.y0, box.x1 + 10, box.y1}};
  page.layer.push_back(sign);
  page.paint();
  page.layer.pop_back();
  page.says(0, "An IBM Redpapertm publication tells of roles and of their duties");
  page.reconcile();
  EXPECT_EQ(page.text(0), "An IBM Redpapertm publication tells of roles and of their duties");
}

TEST(LayerGaps, TheRestOfAPartedWordIsNotTheWord) {
  LetterPage page = page_of(RegionKind::text, {90, 90, 420, 160}, "The other Effects of it grow");
  put(page, "The other of it grow", 100, 100, 420);
  page.layer[2].box = {100 + 60, 130, 100 + 84, 154};  // "of", below, after the rest of "Ef-fects"
  page.layer[3].box = {196, 130, 220, 154};
  page.layer[4].box = {232, 130, 280, 154};
  page.layer.push_back({"Ef-", {214, 100, 250, 124}});
  page.layer.insert(page.layer.begin() + 2, {"fects", {100, 130, 150, 154}});
  page.paint();
  page.layer.pop_back();
  page.reconcile();
  EXPECT_EQ(page.text(0), "The other Effects of it grow");
}

TEST(LayerGaps, WordsThatOcrDoesNotSeeAreNotPutIn) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.paint();
  const std::string text = page.text(0);
  for (const size_t i : {1, 3, 6}) {  // orders to a model, between the lines
    Box box = page.layer[i].box;
    page.layer.push_back({"ignore", {box.x0, box.y1 + 2, box.x1, box.y1 + 7}});
  }
  for (int x = 100; x < 1000; x += 3)
    for (int y = 66; y < 71; ++y) page.image->row(y)[size_t(x) * 3] = 0;
  BlindOcr ocr;
  page.ocr = &ocr;
  page.page.blocks[0].box_pt.y1 += 10;
  page.reconcile();
  EXPECT_EQ(page.text(0), text);
}

TEST(LayerGaps, AWordAroundTheBlockIsNoneOfItsWords) {
  LetterPage page = page_of(RegionKind::text, {90, 90, 1100, 124}, "Active Row Access Control");
  put(page, "Access Control", 250, 100, 1100);
  put(page, "Activating", 100, 68, 1100);
  page.reconcile();
  EXPECT_EQ(page.text(0), "Active Row Access Control");
}

TEST(LayerGaps, ABlockThatTheModelLeftEmptyIsFilled) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.add_block(RegionKind::page_footer, "15");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  page.says(1, "");
  page.reconcile();
  EXPECT_EQ(page.text(1), "15");
}

TEST(LayerGaps, TheNumberOfTheNextItemIsNotThisOnes) {
  LetterPage page = page_of(RegionKind::list_item, {90, 90, 1100, 124}, "or rewrite sentences.s.");
  put(page, "or rewrite sentences.", 100, 100, 1100);
  put(page, "2. Integration", 100, 126, 1100);
  page.reconcile();
  EXPECT_EQ(page.text(0), "or rewrite sentences.");
}

/// A table of two columns; a cell of the first row has two lines.
LetterPage table_page(const std::string& html) {
  LetterPage page = page_of(RegionKind::table, {90, 90, 1100, 300}, "");
  page.page.blocks[0].html = html;
  put(page, "Inference time", 100, 100, 300);  // two lines
  put(page, "mAP (0.75)", 600, 100, 700);
  put(page, "5.39", 100, 180, 300);
  put(page, "0.88", 600, 180, 700);
  put(page, "Last audit", 100, 220, 400);
  put(page, "2024-10-15", 600, 220, 800);
  page.paint();
  return page;
}

std::string table_of(const std::string& a, const std::string& b, const std::string& c,
                     const std::string& d) {
  return "<table><tr><td>" + a + "</td><td>" + b + "</td></tr><tr><td>5.39</td><td>" + c +
         "</td></tr><tr><td>Last audit</td><td>" + d + "</td></tr></table>";
}

TEST(LayerTables, CellsTakeTheWordsOfTheirPlaces) {
  const std::string truth = table_of("Inference time", "mAP (0.75)", "0.88", "2024-10-15");
  for (const std::string& said : {table_of("Inference", "mAP (0.75)", "0.88", "2024-10-15"),
                                  table_of("Inference time", "(0.75)", "0.88", "2024-10-15"),
                                  table_of("Inference time", "mAP (0.75)", "", "2024-10-15"),
                                  table_of("Inference time", "mAP (0.75)", "0.88", "-10-2024")}) {
    LetterPage page = table_page(said);
    TruthOcr ocr(page.layer);
    page.ocr = &ocr;
    page.reconcile();
    EXPECT_EQ(*page.page.blocks[0].html, truth) << said;
  }
}

TEST(LayerTables, CellsThatTheLayerLacksStay) {
  const std::string truth = table_of("Inference time", "mAP (0.75)", "0.88", "2024-10-15");
  LetterPage page = table_page(truth);
  std::erase_if(page.layer, [](const Word& word) { return word.text == "0.88"; });
  page.reconcile();
  EXPECT_EQ(*page.page.blocks[0].html, truth);
}

TEST(LayerCode, LettersAreThoseOfThePageAndBlanksThoseOfOcr) {
  const std::string page = "console . log ( add (3 , 5) ) ;", third = "console.log(add(3, 5));";
  EXPECT_EQ(verdict(third, page, "conslog(add(3, 5));", true), Verdict::letters);
  EXPECT_EQ(with_blanks_of(third, page), (std::vector<std::string>{"console.log(add(3,", "5));"}));
  EXPECT_EQ(with_blanks_of("e\xEF\xAC\x83 cient", "efficient"),
            (std::vector<std::string>{"effi", "cient"}));
}

TEST(LayerCode, ALongRowOfMarksIsReadAgain) {
  LetterPage page;
  page.add_block(RegionKind::code, "run the line console . log ( add ( 3 , 5 ) ) ; now and then");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  page.says(0, "run the line console.log(add(3, 6)); now and then");
  page.reconcile();
  EXPECT_EQ(page.text(0), "run the line console . log ( add ( 3 , 5 ) ) ; now and then");
}

TEST(LayerCode, StarsAndTagsOfCodeAreLetters) {
  LetterPage page;
  page.add_block(RegionKind::code, "ELSE '**' WHEN <b> THEN CONCAT_ALL_OF_THEM END");
  page.says(0, "ELSE '**S' WHEN <b> THEN CONCAT_ALALL_OF_THEM END");
  page.reconcile();
  EXPECT_EQ(page.text(0), "ELSE '**' WHEN <b> THEN CONCAT_ALL_OF_THEM END");
  EXPECT_EQ(marked_words("'*****'", false)[0].letters, "'*****'");
  EXPECT_FALSE(marked_words("'*****'", false)[0].fixed);
}

TEST(LayerCode, AWordThatTheModelLeftOutStandsOnItsLine) {
  LetterPage page;
  page.add_block(RegionKind::code, "SELECT name FROM users ORDER BY name LIMIT ten");
  page.paint();
  TruthOcr ocr(page.layer);
  page.ocr = &ocr;
  page.says(0, "SELECT name FROM users ORDER name LIMIT ten");
  page.reconcile();
  EXPECT_EQ(page.text(0), "SELECT name FROM users ORDER BY name LIMIT ten");
}

}  // namespace
}  // namespace docspec

#include "core/decode/align/draft_aligner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/decode/propose/cursor_proposer.h"
#include "core/decode/propose/template_proposer.h"
#include "core/text/tokenizer.h"
#include "tests/support/files.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

class Texts : public ::testing::Test {
 protected:
  const Tokenizer tokenizer_ =
      Tokenizer::load(test::oracle_folder("qwen2_5_vl/hub_tied/model/tokenizer.json"));

  Ids ids(const std::string& text) const { return tokenizer_.encode(text, false); }
  std::string text(std::span<const int32_t> ids) const { return tokenizer_.decode(ids); }
  DraftTokens draft(const std::string& text) const { return {"ocr", ids(text)}; }

  std::string symbols(const std::string& text) const {
    SymbolReader reader(&tokenizer_);
    std::vector<Symbol> found;
    for (const int32_t id : ids(text)) reader.push(id, found);
    std::string out;
    for (const Symbol& symbol : found) out += char(symbol.value);
    return out;
  }

  /// Whether one of the cursor's candidates begins with what the model will say.
  bool foresees(const std::vector<std::string>& drafts, const std::string& said,
                const std::string& next) const {
    std::vector<DraftTokens> all;
    for (const auto& d : drafts) all.push_back(draft(d));
    const auto aligner = std::make_shared<DraftAligner>(all, &tokenizer_);
    const auto proposer = make_cursor_proposer(aligner, -1, 64);
    for (const Candidate& c : proposer->propose(ids(said)))
      if (text(c.tokens).starts_with(next)) return true;
    return false;
  }
};

TEST_F(Texts, KeysFoldCaseQuotesLigaturesAndHyphensAndSkipMarkup) {
  EXPECT_EQ(symbols("The \xe2\x80\x98of-\nfice\xe2\x80\x99"), symbols("the \"Office\""));
  EXPECT_EQ(symbols("<td class=\"x\">Fi</td>"), symbols("**\xef\xac\x81**"));
  EXPECT_EQ(symbols("a < b > c"), "a<b>c") << "no tag";
  EXPECT_EQ(symbols("\xe2\x80\x9cx\xe2\x80\x9d"), "\"x\"");
}

TEST_F(Texts, TheCursorGoesOnBehindErrorsOfAnyKind) {
  const std::string ocr = "The harbour 0ffice asked f or a survey of the northern basin.";
  EXPECT_TRUE(foresees({ocr}, "The harbour office", " asked"));
  EXPECT_TRUE(foresees({ocr}, "The harbour office asked for", " a survey"));
  EXPECT_TRUE(foresees({ocr}, "The harbour master's office asked", " f"));
  EXPECT_TRUE(foresees({ocr}, "The harbour asked for", " a survey"));
  EXPECT_TRUE(foresees({ocr}, "<p>The <b>HARBOUR</b> 0ffice", " asked"));
}

TEST_F(Texts, LineBreaksAndHyphensOfTheDraftAreTriedAway) {
  const std::string ocr = "a quay that is re-\npaired in the\nsummer of next year";
  EXPECT_TRUE(foresees({ocr}, "a quay that is repaired in the", " summer"));
  EXPECT_TRUE(foresees({ocr}, "a quay that is re", "paired"));
}

TEST_F(Texts, BehindTheEndOfADraftComeTheHeadsOfOthers) {
  const std::vector<std::string> regions = {"First region of the page.", "Then the second one.",
                                            "At last the third."};
  EXPECT_TRUE(foresees(regions, "First region of the page.", "Then the second"));
  EXPECT_TRUE(foresees(regions, "First region of the page.", "At last the"));
  EXPECT_TRUE(foresees(regions, "At last the third.", "First region"));
  EXPECT_TRUE(foresees(regions, "", "Then the"));
}

TEST_F(Texts, ABoxNamesTheRegionThatFollows) {
  const std::string one = "<p data-bbox=\"10 20 100 40\">same words here one</p>";
  const std::string two = "<p data-bbox=\"10 60 100 90\">same words here two</p>";
  EXPECT_TRUE(foresees({one, two}, "<p data-bbox=\"11 59 101 91\">", "same words here two"));
  EXPECT_TRUE(foresees({one, two}, "<p data-bbox=\"11 21 99 41\">", "same words here one"));
}

TEST_F(Texts, FollowingTwiceChangesNothing) {
  const DraftTokens ocr = draft("some text of a page that goes on");
  DraftAligner aligner(std::span(&ocr, 1), &tokenizer_);
  const Ids output = ids("some text of");
  aligner.follow(output);
  const auto places = aligner.places();
  aligner.follow(output);
  ASSERT_EQ(aligner.places().size(), places.size());
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(aligner.places()[0].symbol, places[0].symbol);
  EXPECT_EQ(aligner.places()[0].symbol, 10u);
}

TEST_F(Texts, TheTemplateKnowsTheMarkupOfTheLastCellAndTheDraftTheNextOne) {
  const DraftTokens ocr = draft("one two three four five six");
  const auto aligner = std::make_shared<DraftAligner>(std::span(&ocr, 1), &tokenizer_);
  const auto proposer = make_template_proposer(aligner, &tokenizer_);
  const Ids said = ids("<tr><td>one</td><td>two</td><td>three</td><td>four");
  bool found = false;
  for (const Candidate& c : proposer->propose(said))
    found |= text(c.tokens).starts_with("</td><td>five");
  EXPECT_TRUE(found);
  EXPECT_TRUE(make_template_proposer(aligner, nullptr)->propose(said).empty());
}

TEST(DraftAligner, OffersSubstitutionInsertionAndDeletionBehindAnError) {
  Ids page;
  for (int32_t i = 0; i < 30; ++i) page.push_back(100 + i);
  const DraftTokens draft{"d", page};
  const auto offered = [&](Ids output) {
    DraftAligner aligner(std::span(&draft, 1), nullptr);
    aligner.follow(output);
    std::vector<uint32_t> places;
    for (const Continuation& place : aligner.places()) places.push_back(place.symbol);
    return places;
  };
  const auto has = [](const std::vector<uint32_t>& places, uint32_t place) {
    return std::find(places.begin(), places.end(), place) != places.end();
  };
  EXPECT_EQ(offered({100, 101, 102, 103, 104})[0], 5u);
  const auto unsure = offered({100, 101, 102, 103, 104, 7});
  EXPECT_TRUE(has(unsure, 6)) << "substitution";
  EXPECT_TRUE(has(unsure, 5)) << "the output has one more";
  EXPECT_TRUE(has(unsure, 7)) << "the draft has one more";
  EXPECT_EQ(offered({100, 101, 102, 103, 104, 106})[0], 7u) << "the draft had one more";
  EXPECT_EQ(offered({100, 101, 7, 8, 104})[0], 5u) << "two wrong in a row";
}

TEST(DraftAligner, TakesADraftBetweenTwoPasses) {
  DraftAligner aligner({}, nullptr);
  aligner.follow(Ids{1, 2});
  EXPECT_TRUE(aligner.places().empty());
  aligner.add({"verified", {5, 6, 7, 8}});
  aligner.follow(Ids{1, 2, 5, 6});
  ASSERT_FALSE(aligner.places().empty());
  EXPECT_EQ(aligner.places()[0].symbol, 2u);
}

}  // namespace
}  // namespace docspec

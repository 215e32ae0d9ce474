#include "drafts/ocr/formulas/read_formulas.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/one_answer.h"

namespace docspec {
namespace {

using test::OneAnswer;

Draft draft(int region, std::vector<Word> words) {
  Draft out{region, "ppocr", "", 1, std::move(words)};
  for (const Word& word : out.words) out.text += word.text;
  return out;
}

struct ReadFormulas : testing::Test {
  PageDrafts page;
  std::vector<Box> asked;
  PageImage image{1, 800, 800, 200};

  ReadFormulas() {
    page.regions = {{0, 0, RegionKind::text, {100, 100, 700, 130}, 1},
                    {1, 1, RegionKind::formula, {300, 200, 700, 230}, 1}};
    page.drafts = {draft(0, {{"Words", {100, 100, 180, 130}}}),
                   draft(1, {{"x2=y", {300, 200, 380, 230}}, {"(3.1)", {650, 200, 700, 230}}})};
  }

  FormulaReadings read(ReadFormula answer) {
    LazyFormulaReader reader([&] { return std::make_unique<OneAnswer>(answer, asked); });
    return read_formula_regions(reader, image, page);
  }
};

TEST_F(ReadFormulas, TheNumberAtTheMarginIsOcrs) {
  const FormulaReadings readings = read({"x^2=y", 2});
  EXPECT_EQ(page.drafts[1].text, "$$x^2=y \\tag{3.1}$$");
  EXPECT_EQ(page.drafts[0].text, "Words");
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_LT(asked[0].x1, 650) << "the model is not shown the number";
  EXPECT_EQ(readings.regions, std::vector<int>{1});
  EXPECT_TRUE(readings.sure);
}

TEST_F(ReadFormulas, ALowLeadIsNotSure) {
  EXPECT_FALSE(read({"x^2=y", 0.2}).sure);
  EXPECT_LT(page.drafts[1].confidence, 0.5);
}

TEST_F(ReadFormulas, WithoutAnAnswerOcrStays) {
  EXPECT_TRUE(read({"", 0}).regions.empty());
  EXPECT_TRUE(read({"x^2=y", 0.1, 0.3}).regions.empty()) << "unsure of most of it";
  EXPECT_EQ(page.drafts[1].text, "x2=y(3.1)");
}

TEST_F(ReadFormulas, TheReaderIsOpenedForFormulasAlone) {
  page.regions.pop_back();
  page.drafts.pop_back();
  LazyFormulaReader reader([]() -> std::unique_ptr<FormulaReader> {
    ADD_FAILURE() << "opened";
    return nullptr;
  });
  EXPECT_TRUE(read_formula_regions(reader, image, page).regions.empty());
}

}  // namespace
}  // namespace docspec

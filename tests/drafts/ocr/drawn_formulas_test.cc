// Formulas that browsers draw as shapes, read by a model.
#include "drafts/ocr/drawn_formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/one_answer.h"

namespace docspec {
namespace {

/// The LaTeX of one drawn formula, of which the model reads `answer` and OCR `seen`.
std::string latex_of(ReadFormula answer, std::string seen) {
  std::vector<Box> asked;
  LazyFormulaReader reader([&] { return std::make_unique<test::OneAnswer>(answer, asked); });
  const PageImage image(1, 100, 100, 200);
  const DrawnFormula formula{{10, 10, 40, 30}, std::move(seen)};
  return read_drawn_formulas(reader, image, {}, std::span(&formula, 1)).at(0).latex;
}

TEST(DrawnFormulas, ALetterAloneHasNoStyleOfItsOwn) {
  EXPECT_EQ(latex_of({"\\mathbf{d}", 2}, "a,"), "a") << "OCR tells a small letter's size";
  EXPECT_EQ(latex_of({"\\mathcal{M}", 2}, ""), "M");
  EXPECT_EQ(latex_of({"\\hat{z}", 2}, "i"), "i") << "its point";
  EXPECT_EQ(latex_of({"\\hat{z}", 2}, "z"), "\\hat{z}");
  EXPECT_EQ(latex_of({"\\mathbf{d}_{1}", 2}, "a"), "\\mathbf{d}_{1}");
}

TEST(DrawnFormulas, WhatIsUnsureOrChineseIsNotRead) {
  EXPECT_EQ(latex_of({"x^2=y", 0.1, 0.3}, "x2=y"), "");
  EXPECT_EQ(latex_of({"\\mathbb{B}", 2}, "考试科目"), "");
  EXPECT_EQ(latex_of({"x=y", 2}, "x二y"), "x=y") << "the sign looks like a character";
}

/// Reads nothing, and tells how dark the page is at a place.
struct Level : FormulaReader {
  Level(int x, int y, uint8_t& level) : x(x), y(y), level(level) {}
  std::vector<ReadFormula> read(const PageImage& page, std::span<const Box> boxes,
                                double) const override {
    level = page.row(y)[size_t(x) * 3];
    return std::vector<ReadFormula>(boxes.size());
  }
  std::vector<std::vector<ReadPart>> read_lines(const PageImage&, std::span<const Box> boxes,
                                                double) const override {
    return std::vector<std::vector<ReadPart>>(boxes.size());
  }
  int x, y;
  uint8_t& level;
};

TEST(DrawnFormulas, TheModelSeesNoWordsOfTheLayer) {
  PageImage image(1, 100, 100, 200);
  std::fill_n(image.row(0), size_t(100) * 100 * 3, uint8_t(0));
  const std::vector<Word> words = {{"so", {30, 10, 60, 30}}};
  const DrawnFormula formula{{10, 10, 40, 30}, ""};
  const auto level_at = [&](int x) {
    uint8_t level = 1;
    LazyFormulaReader reader([&] { return std::make_unique<Level>(x, 20, level); });
    read_drawn_formulas(reader, image, words, std::span(&formula, 1));
    return level;
  };
  EXPECT_EQ(level_at(50), 255);
  EXPECT_EQ(level_at(35), 0) << "the formula reaches into the word's box";
}

}  // namespace
}  // namespace docspec

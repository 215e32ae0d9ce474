#include "cli/engine/formula_views.h"

#include <gtest/gtest.h>

#include <map>

namespace docspec {
namespace {

constexpr double kEm = 100;

/// Says for each size of letters, in percent of kEm, what it was told to, and keeps the sizes that
/// it was asked for.
class Scripted : public FormulaReader {
 public:
  Scripted(std::map<int, ReadFormula> answers, std::vector<int>& asked)
      : answers_(std::move(answers)), asked_(asked) {}
  std::vector<ReadFormula> read(const PageImage&, std::span<const Box> boxes,
                                double em_px) const override {
    return std::vector<ReadFormula>(boxes.size(), answer(em_px));
  }
  std::vector<std::vector<ReadPart>> read_lines(const PageImage&, std::span<const Box> boxes,
                                                double em_px) const override {
    const ReadFormula formula = answer(em_px);
    std::vector<ReadPart> line = {{"where", false, true, 0.1}};
    if (!formula.latex.empty()) line.push_back({formula.latex, true, true, formula.least_margin});
    return std::vector<std::vector<ReadPart>>(boxes.size(), line);
  }

 private:
  ReadFormula answer(double em_px) const {
    const int size = int(em_px / kEm * 100 + 0.5);
    asked_.push_back(size);
    return answers_.at(size);
  }
  std::map<int, ReadFormula> answers_;
  std::vector<int>& asked_;
};

ReadFormula read_one(const std::map<int, ReadFormula>& answers, std::vector<int>& asked) {
  const FormulaViews views(std::make_unique<Scripted>(answers, asked));
  const Box boxes[] = {{0, 0, 100, 20}};
  return views.read(PageImage(1, 100, 20, 72), boxes, kEm).front();
}

TEST(FormulaViews, ASureReadingIsNotAskedForAgain) {
  std::vector<int> asked;
  EXPECT_EQ(read_one({{100, {"x", 2}}}, asked).latex, "x");
  EXPECT_EQ(asked, (std::vector<int>{100}));
}

TEST(FormulaViews, TwoThatAgreeOutvoteTheFirst) {
  std::vector<int> asked;
  const ReadFormula read =
      read_one({{100, {"x", 0.9}}, {114, {"y", 0.2}}, {87, {"y", 0.7}}}, asked);
  EXPECT_EQ(read.latex, "y");
  EXPECT_EQ(read.least_margin, 0.7) << "of the surer one";
  EXPECT_EQ(asked, (std::vector<int>{100, 114, 87}));
}

TEST(FormulaViews, WhereAllDifferTwoMoreAreAskedForAndTheSurestStands) {
  std::vector<int> asked;
  const std::map<int, ReadFormula> answers = {
      {100, {"a", 0.1}}, {114, {"b", 0.9}}, {87, {"", 0}}, {107, {"d", 0.3}}, {93, {"e", 0.4}}};
  EXPECT_EQ(read_one(answers, asked).latex, "b");
  EXPECT_EQ(asked.size(), 5u);
}

TEST(FormulaViews, WhatComesToNoEndIsNoAnswer) {
  std::vector<int> asked;
  const std::map<int, ReadFormula> answers = {
      {100, {"", 0}}, {114, {"", 0}}, {87, {"", 0}}, {107, {"", 0}}, {93, {"e", 0.1}}};
  EXPECT_EQ(read_one(answers, asked).latex, "e");
}

TEST(FormulaViews, LinesAgreeWhereTheirFormulasDo) {
  std::vector<int> asked;
  const FormulaViews views(std::make_unique<Scripted>(
      std::map<int, ReadFormula>{{100, {"x", 0.3}}, {114, {"", 0}}, {87, {"", 0}}}, asked));
  const Box boxes[] = {{0, 0, 100, 20}};
  const auto lines = views.read_lines(PageImage(1, 100, 20, 72), boxes, kEm);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].size(), 1u) << "two see no formula";
}

}  // namespace
}  // namespace docspec

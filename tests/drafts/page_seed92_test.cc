// What was misread on textbooks and examinations in Chinese (seeds 92 and 93): steps of proofs,
// choices and blanks of questions, forms to be filled in, stops without a map.
#include <gtest/gtest.h>

#include "drafts/latex/math_letters.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/text_lines.h"
#include "drafts/text/hard_breaks.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::frame;
using test::markdown_of;
using test::PdfPage;

/// Words of one line of 40 pixels: text, and where it begins and ends.
struct Placed {
  std::string text;
  int x0, x1;
};
std::vector<std::string> lines_of(const std::vector<Placed>& placed) {
  std::vector<Word> words;
  for (const Placed& each : placed) {
    words.push_back({each.text, {each.x0, 100, each.x1, 140}});
    words.back().font_size_pt = 14;
  }
  std::vector<std::string> out;
  for (const TextLine& line : group_lines(words, 200, {})) {
    out.emplace_back();
    for (const int w : line.words) out.back() += words[size_t(w)].text;
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(PageSeed92, StepsAnswersAndBlanksKeepTheirRows) {
  EXPECT_EQ(lines_of({{"∴", 100, 130}, {"∠BOD=2∠BAD", 260, 600}}), Texts{"∴∠BOD=2∠BAD"});
  EXPECT_EQ(lines_of({{"甲", 100, 130}, {"∠BOD=2∠BAD", 260, 600}}).size(), 2u);
  EXPECT_EQ(lines_of({{"7.", 100, 140}, {"-1", 150, 200}, {"8.", 500, 540}, {"4", 550, 570}}),
            Texts{"7.-18.4"});
  EXPECT_EQ(
      lines_of({{"7.", 100, 140}, {"-1", 150, 200}, {"9.", 500, 540}, {"4", 550, 570}}).size(), 2u)
      << "not the next one";
  EXPECT_EQ(lines_of({{"结果是（", 100, 300}, {"）", 520, 550}}), Texts{"结果是（）"});
}

TEST(PageSeed92, AStepOfAProofBeginsALine) {
  std::vector<Word> words;
  for (const char* text : {"∵AB=AC这是一行很长的文字没有余地", "∴BD=CD这是一行很长的文字没有余地",
                           "即相等这是一行很长的文字没有余地"})
    words.push_back({text, {0, int(words.size()) * 30, 500, int(words.size()) * 30 + 20}});
  EXPECT_EQ(hard_breaks(words, {{0}, {1}, {2}}, 0), (std::vector<bool>{false, true, false}));
}

TEST(PageSeed92, LabelsOpenText) {
  for (const char* text : {"∴", "∵AB=CD", "A.", "B．3", "12.x=1", "3、", ">>>>>", ">>>"})
    EXPECT_TRUE(opens_text(text)) << text;
  for (const char* text : {"x", "1.5", "A", "12", "AB.", "(1)", ">>", ""})
    EXPECT_FALSE(opens_text(text)) << text;
}

TEST(PageSeed92, StepsChoicesAndNamesOfFiguresAreNoHeadings) {
  for (const char* text : {"解：原式", "∴AB=CD", "主视图", "A. 3 B. 5", "看图判断，", "Source: X",
                           "两个单位向量分别经过转换得到：", "请大家注意转换前后长度的变化。"})
    EXPECT_TRUE(heads_nothing(text)) << text;
  for (const char* text :
       {"一、选择题", "A. Introduction", "用例图", "以身作则，培育新人", "参考文献：",
        "代数结构小测验（2015 年 5 月）姓名：", "一、选择题，每题只有一个答案正确。"})
    EXPECT_FALSE(heads_nothing(text)) << text;
}

TEST(PageSeed92, CodesWhereStopsMustBeAreNoLanguage) {
  const auto trusted = [](const char* text) {
    return is_readable(std::vector<Word>(4, {text, {0, 0, 500, 10}}));
  };
  EXPECT_FALSE(trusted("教学过程是核心!教学目标\"任务!方法#"));
  EXPECT_TRUE(trusted("教学过程是核心，教学目标、任务！方法。"));
  EXPECT_TRUE(trusted("真的吗!好的，是这样。对，没错、好!"));
}

/// Cells of a form, three rows below its heads.
PdfPage form(int columns, bool labels) {
  PdfPage page;
  add_prose(page, 72, 740, 5);
  for (int row = 0; row < 4; ++row)
    for (int c = 0; c < columns; ++c) {
      page.drawing += frame(72 + 110.0 * c, 620 - 24.0 * row, 110, 24);
      if (row == 0 && !labels)
        page.lines.push_back({80 + 110.0 * c, 628, "Head " + std::string(1, char('A' + c)), 10});
      if (labels && c == 0)
        page.lines.push_back(
            {80, 628 - 24.0 * row, "Label " + std::string(1, char('A' + row)), 10});
    }
  add_prose(page, 72, 500, 5);
  return page;
}

TEST(PageSeed92, FormsToBeFilledInAreTables) {
  expect_has(markdown_of(form(4, false)), "| Head A | Head B | Head C | Head D |");
  const std::string labelled = markdown_of(form(2, true));
  expect_has(labelled, "| Label A |  |");
  expect_has(labelled, "| Label D |  |");
}

}  // namespace
}  // namespace docspec

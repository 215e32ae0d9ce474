#include "drafts/ocr/formulas/mend_latex.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <string>
#include <vector>

namespace docspec {
namespace {

/// Whether all that is opened is closed, in order.
bool is_whole(const std::string& latex) {
  static const std::regex kEdge(
      R"(\\[^a-zA-Z]|\\begin(\{\w+\})|\\end(\{\w+\})|\\left|\\right|[{}])");
  std::vector<std::string> open;
  for (std::sregex_iterator at(latex.begin(), latex.end(), kEdge), end; at != end; ++at) {
    const std::string edge = (*at)[0];
    if (edge.size() == 2) continue;  // "\\{" is a sign
    const bool closes = edge == "}" || edge == "\\right" || (*at)[2].matched;
    const std::string what = (*at)[1].matched    ? (*at)[1].str()
                             : (*at)[2].matched  ? (*at)[2].str()
                             : edge == "}"       ? "{"
                             : edge == "\\right" ? "\\left"
                                                 : edge;
    if (!closes) {
      open.push_back(what);
    } else {
      if (open.empty() || open.back() != what) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(MendLatex, LeavesWhatIsWhole) {
  for (const char* latex :
       {"E=mc^2", "\\frac{a}{b}", "\\left(\\frac{x}{2}\\right)^2", "\\left\\{x\\right.",
        "\\begin{pmatrix}a&b\\\\ c&d\\end{pmatrix}", "\\{a,b\\}", "50\\%"})
    EXPECT_EQ(mend_latex(latex), latex);
}

TEST(MendLatex, ClosesWhatIsOpenAndTakesOutLoneEnds) {
  EXPECT_EQ(mend_latex("\\frac{a}{b"), "\\frac{a}{b}");
  EXPECT_EQ(mend_latex("a}+b"), "a+b");
  EXPECT_EQ(mend_latex("\\left(a"), "\\left(a\\right.");
  EXPECT_EQ(mend_latex("a\\right)"), "a)");
  EXPECT_EQ(mend_latex("\\left x+y\\right]"), " x+y]") << "a letter is no delimiter";
  EXPECT_EQ(mend_latex("\\begin{matrix}a&b\\end{aligned}"), "\\begin{matrix}a&b\\end{matrix}");
  EXPECT_EQ(mend_latex("a&=b\\\\ c"), "\\begin{aligned}a&=b\\\\ c\\end{aligned}");
}

TEST(MendLatex, OneRowNeedsNoEnvironment) {
  EXPECT_EQ(mend_latex("\\begin{aligned}x=1,&y=2\\end{aligned}"), "x=1,\\quad y=2");
  EXPECT_EQ(mend_latex("\\mathrm{rank}&A=2"), "\\mathrm{rank} A=2");
  const std::string matrix = "\\begin{aligned}\\begin{matrix}a&b\\end{matrix}\\end{aligned}";
  EXPECT_EQ(mend_latex(matrix), matrix);
}

TEST(MendLatex, BracketsAndBracesEndWithTheirCell) {
  EXPECT_EQ(mend_latex("\\begin{matrix}\\left(a&b\\right)\\end{matrix}"),
            "\\begin{matrix}\\left(a\\right.&\\left.b\\right)\\end{matrix}");
  EXPECT_EQ(mend_latex("\\begin{matrix}\\mathrm{a&b}\\end{matrix}"),
            "\\begin{matrix}\\mathrm{a}&b\\end{matrix}");
  EXPECT_EQ(mend_latex("\\sum_{\\substack{a\\\\ b}}"), "\\sum_{\\substack{a\\\\ b}}");
  EXPECT_EQ(mend_latex("\\text{try}\\(A^3\\)"), "\\text{try}A^3");
}

TEST(MendLatex, IsWholeWhateverAModelWrites) {
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "\\left(",
                                           "\\right)",
                                           "\\begin{aligned}",
                                           "\\end{aligned}",
                                           "\\begin{cases}",
                                           "\\end{cases}",
                                           "\\frac",
                                           "a",
                                           "^",
                                           "&",
                                           "\\\\ ",
                                           "\\{",
                                           "\\begin",
                                           "\\",
                                           "x "};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string latex;
    for (int i = int(random() % 20); i >= 0; --i) latex += pieces[random() % pieces.size()];
    const std::string mended = mend_latex(latex);
    EXPECT_TRUE(is_whole(mended)) << latex << " -> " << mended;
    EXPECT_EQ(mend_latex(mended), mended) << latex;
  }
}

}  // namespace
}  // namespace docspec

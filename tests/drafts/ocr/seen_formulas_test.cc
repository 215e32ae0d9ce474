#include "drafts/ocr/seen_formulas.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace docspec {
namespace {

constexpr int kLetterPx = 20;

/// A page on which OCR read lines of a formula, and bars were drawn.
struct FormulaPage {
  PageImage image{1, 600, 400, 144};
  Draft draft;
  int lines = 0;

  void write(int x, int y, const std::string& text, int height = kLetterPx) {
    ++lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const int width = int(word.size()) * kLetterPx / 2;
      Word read{word, {x, y, x + width, y + height}, 1, 10};
      read.line = lines;
      draft.words.push_back(read);
      x += width + kLetterPx / 3;
    }
  }

  void bar(int x0, int x1, int y) {
    for (int row = y; row < y + 2; ++row)
      for (int x = x0; x < x1; ++x)
        for (int c = 0; c < 3; ++c) image.row(row)[3 * x + c] = 0;
  }

  std::string latex(RegionKind kind = RegionKind::formula) {
    PageInput page;
    page.image = &image;
    page.width_px = 600, page.height_px = 400;
    page.dpi = 144;
    draft.region = 0;
    std::vector<Draft> drafts = {draft};
    write_seen_formulas(drafts, std::vector<Region>{{0, 0, kind, {0, 0, 600, 400}, 1}}, page);
    return drafts[0].text;
  }
};

TEST(WriteSeenFormulas, PutsFractionsTogether) {
  FormulaPage page;
  page.write(100, 100, "G = 5");
  page.write(152, 84, "4A");
  page.write(152, 116, "DH");
  page.bar(148, 178, 109);
  EXPECT_EQ(page.latex(), "$$G=5\\frac{4A}{DH}$$");
  EXPECT_EQ(page.latex(RegionKind::text), "") << "text stays what it is";
}

TEST(WriteSeenFormulas, ADashBetweenTwoLinesIsABar) {
  FormulaPage page;
  page.write(100, 100, "G = 5");
  page.write(152, 84, "A");
  page.write(148, 108, "—", 3);
  page.write(152, 116, "D");
  page.draft.words[4].box.x1 = 168;
  page.bar(148, 168, 109);
  EXPECT_EQ(page.latex(), "$$G=5\\frac{A}{D}$$");
}

TEST(WriteSeenFormulas, StrokesOfSignsAreNoBarsAndSignsNoCharacters) {
  FormulaPage page;
  page.write(100, 100, "x");
  page.write(120, 107, "二", 8);
  page.draft.words[1].box.x1 = 140;
  page.bar(120, 140, 107);
  page.bar(120, 140, 113);
  page.write(150, 100, "y");
  EXPECT_EQ(page.latex(), "$$x=y$$");
}

TEST(WriteSeenFormulas, WhatHasNoLatexKeepsItsLines) {
  FormulaPage page;
  page.write(100, 100, "x = \uFFFD");
  page.draft.text = "x = \uFFFD";
  EXPECT_EQ(page.latex(), "x = \uFFFD");
}

}  // namespace
}  // namespace docspec

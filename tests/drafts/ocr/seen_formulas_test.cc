#include "drafts/ocr/formulas/seen_formulas.h"

#include <gtest/gtest.h>

#include <string>

#include "core/text/unicode.h"
#include "drafts/formula/formula_words.h"
#include "drafts/ocr/formulas/seen_glyphs.h"

namespace docspec {
namespace {

constexpr int kEmPx = 40;

/// A page with the ink of letters, each a block as high as such a letter is, and what OCR read.
struct InkPage {
  PageImage image{1, 1200, 400, 288};
  std::vector<Word> words;
  int line = 0;
  int x = 0, base = 0;

  void begin_line(int left, int base_line) { ++line, x = left, base = base_line; }

  void ink(const Box& box) {
    for (int y = box.y0; y < box.y1; ++y)
      for (int i = box.x0 * 3; i < box.x1 * 3; ++i) image.row(y)[i] = 0;
  }

  /// A word, `size` ems large, its base line `lower` ems below that of the line; without a blank
  /// before it `joined` to the word before.
  void write(const std::string& text, double size = 1, double lower = 0, bool joined = false) {
    const double em = size * kEmPx;
    if (!joined) x += kEmPx / 3;
    Word word;
    for (size_t at = 0; at < text.size();) {
      const size_t from = at;
      const uint32_t c = next_code_point(text, at);
      const std::string one = text.substr(from, at - from);
      double up = 0.7, down = 0, width = 0.45;
      if (std::string("acemnorsuvwxz").find(one) != one.npos) up = 0.47;
      if (std::string("gpqy").find(one) != one.npos) up = 0.47, down = 0.2;
      if (one == "(" || one == ")") up = 0.75, down = 0.25, width = 0.2;
      if (one == "-") up = 0.3, down = -0.2, width = 0.6;
      if (one == "=" || c > 0x2000) up = 0.5, width = 0.65;
      if (one == ".") up = 0.1, width = 0.1;
      const int bottom = base + int(lower * kEmPx + down * em);
      const Box box{x, base + int(lower * kEmPx - up * em), x + int(width * em), bottom};
      ink(box);
      word.places.push_back((box.x0 + box.x1) / 2);
      word.box = unite(word.box, box);
      x = box.x1 + 3;
    }
    word.text = text, word.line = line, word.font_size_pt = kEmPx / 4.0;
    if (joined) {
      Word& last = words.back();
      last.text += text, last.box = unite(last.box, word.box);
      last.places.insert(last.places.end(), word.places.begin(), word.places.end());
      return;
    }
    words.push_back(word);
  }

  std::string inline_text() const {
    const PageGlyphs glyphs = seen_glyphs(words, image);
    std::string out;
    for (const Word& word :
         words_with_formulas(words, glyphs, read_inline_formulas(GlyphLines(glyphs), {})))
      out += (out.empty() ? "" : " ") + word.text;
    return out;
  }

  std::string display(RegionKind kind = RegionKind::formula) const {
    std::vector<Draft> drafts(1);
    drafts[0].region = 0;
    Box box;  // narrower than the bars
    for (const Word& word : words) box = unite(box, word.box);
    const std::vector<Region> regions = {{0, 0, kind, box, 1}};
    write_seen_formulas(drafts, regions, seen_glyphs(words, image));
    return drafts[0].text;
  }
};

TEST(SeenFormulas, IndicesAreSmallerAndStandLowerOrHigher) {
  InkPage page;
  page.begin_line(100, 200);
  page.write("Hence");
  page.write("the");
  page.write("value");
  page.write("x");
  page.write("i", 0.7, 0.18, true);
  page.write("=");
  page.write("y");
  page.write("2", 0.7, -0.4, true);
  page.write("is");
  page.write("large");
  EXPECT_EQ(page.inline_text(), "Hence the value $x_{i}=y^{2}$ is large");
}

TEST(SeenFormulas, LettersAloneAreVariablesButNotArticlesNamesOfPartsAndUnits) {
  InkPage page;
  page.begin_line(100, 200);
  for (const char* word :
       {"Let", "a", "map", "f", "send", "part", "(a)", "to", "5", "h", "n", "=", "m", "now"})
    page.write(word);
  EXPECT_EQ(page.inline_text(), "Let a map $f$ send part (a) to 5 h $n=m$ now");
}

TEST(SeenFormulas, AWideDashBesideAVariableIsAMinus) {
  InkPage page;
  page.begin_line(100, 200);
  for (const char* word : {"Where", "the", "sum", "n", "-", "m", "=", "k", "remains"})
    page.write(word);
  EXPECT_EQ(page.inline_text(), "Where the sum $n-m=k$ remains");
}

TEST(SeenFormulas, FractionsArePutTogetherAtTheirBar) {
  InkPage page;
  page.begin_line(100, 200);
  page.write("G");
  page.write("=");
  const int left = page.x + 10;
  page.begin_line(left, 170);
  page.write("A");
  page.begin_line(left, 235);
  page.write("D");
  page.ink({left, 186, left + 60, 189});
  EXPECT_EQ(page.display(), "$$G=\\frac{A}{D}$$");
  EXPECT_EQ(page.display(RegionKind::text), "") << "text stays what it is";
}

TEST(SeenFormulas, ADashBetweenTwoLinesIsABarAndCharactersAreSigns) {
  InkPage page;
  page.begin_line(100, 200);
  page.write("x");
  page.write("二");
  page.write("y");
  page.write("=");
  page.begin_line(page.x + 10, 196);
  page.write("—");
  const int left = page.words.back().box.x0 - 20;
  page.begin_line(left, 170);
  page.write("A");
  page.begin_line(left, 235);
  page.write("D");
  EXPECT_EQ(page.display(), "$$x=y=\\frac{A}{D}$$");
}

TEST(SeenFormulas, LinesOfProgramsHaveNoVariables) {
  InkPage page;
  page.begin_line(100, 200);
  for (const char* word : {"the", "value", "let", "y", "=", "x", ";"}) page.write(word);
  EXPECT_EQ(page.inline_text(), "the value let y = x ;");
}

TEST(SeenFormulas, ArrowsAndSignsOfProgramsAreNoFormulas) {
  const auto has_formulas = [](const char* sign) {
    InkPage page;
    for (int row = 0; row < 4; ++row) {
      page.begin_line(100, 200 + 60 * row);
      for (const char* word : {"name", sign, "value"}) page.write(word);
    }
    return has_inline_formulas(page.words);
  };
  EXPECT_TRUE(has_formulas("="));
  for (const char* sign : {"=>", "==", "==="}) EXPECT_FALSE(has_formulas(sign)) << sign;
}

TEST(SeenFormulas, APageWithoutSignsHasNoGlyphs) {
  InkPage page;
  page.begin_line(100, 200);
  page.write("words");
  EXPECT_TRUE(seen_glyphs(page.words, page.image).empty());
}

}  // namespace
}  // namespace docspec

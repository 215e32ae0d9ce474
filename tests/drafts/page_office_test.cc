// Pages as Word and PowerPoint print them, which were misread: tables whose rows hold several
// lines, forms to write in, lists with icons, titles of slides, drawings of boxes and arrows.
#include <gtest/gtest.h>

#include "drafts/lines/bullets.h"
#include "drafts/lines/leaders.h"
#include "drafts/ocr/formulas/flat_formulas.h"
#include "drafts/page_doubts.h"
#include "drafts/text/text_trust.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::frame;
using test::markdown_of;
using test::PdfPage;
using test::rectangle;
using test::rule;

/// The lines of a grid of `rows` and the columns that begin at `xs`, its top at y.
std::string grid(const std::vector<double>& xs, double y, double height, int rows) {
  std::string out;
  for (int row = 0; row <= rows; ++row) out += rule(xs.front(), xs.back(), y - height * row);
  for (const double x : xs) out += rectangle("f", x, y - height * rows, 0.6, height * rows);
  return out;
}

TEST(PageOffice, LinesOfACellThatReadOnAreOneRow) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  page.drawing = grid({72, 220, 380, 540}, 690, 70, 3);
  const char* const cells[][3] = {
      {"Market and Design",
       "Remove the clause and|all comparisons of it|with other formats and|similar ones",
       "Standards shall stay|neutral and avoid all|competitive claims, as|the directives say"},
      {"Casing", "Convert all headings", "No title case"},
      {"References", "Replace all words", "See the directives"}};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      std::string text = cells[row][column];
      for (int k = 0; !text.empty(); ++k) {
        const size_t end = std::min(text.find('|'), text.size());
        page.lines.push_back(
            {76.0 + 154 * column, 678.0 - 70 * row - 13 * k, text.substr(0, end), 10});
        text.erase(0, end + 1);
      }
    }
  add_prose(page, 72, 440, 3);
  expect_has(
      markdown_of(page),
      "| Market and Design | Remove the clause and all comparisons of it with other formats");
}

TEST(PageOffice, AnEquationThatIsDrawnFontByFontIsOneFormula) {
  PdfPage page;
  add_prose(page, 72, 740, 6);
  page.lines.push_back({72, 640, "It is known that", 10});
  page.lines.push_back({179, 640, "1", 10, "F4"});
  page.lines.push_back({156, 633, "3", 10, "F4"});
  page.lines.push_back({171, 640, "=", 10, "F11"});
  page.lines.push_back({158, 647, "y", 10, "F6"});
  page.lines.push_back({147, 640, "x", 10, "F6"});
  page.lines.push_back({188, 640, "for every one of them, whatever is said", 10});
  page.drawing = rule(154, 167, 643);
  expect_has(markdown_of(page), "It is known that $x\\frac{y}{3}=1$ for every one of them");
}

TEST(PageOffice, PiecesOfTallBracketsInTheTextAreDoubted) {
  const auto doubt = [](const char* text) {
    return doubt_of_brackets({{0, "text-layer", text, 1, {}}});
  };
  EXPECT_EQ(doubt("⎛ 1 2 ⎞ A = ⎜ ⎟ ⎝ 3 4 ⎠"), kFlatFormulas);
  EXPECT_EQ(doubt("one ⎛ alone, as of a list of signs"), "");
  EXPECT_EQ(doubt("$\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$ (and) [more]"), "");
}

TEST(PageOffice, FormulasThatFellApartAreDoubted) {
  const auto doubted = [](const char* text) {
    return !doubt_of_formulas({{0, "text-layer", text, 1, {}}}).empty();
  };
  EXPECT_TRUE(doubted("a dose of 20 \uFFFDg a day"));
  EXPECT_TRUE(doubted("with $k$${}^{2}+bk$ in it"));
  EXPECT_TRUE(doubted("$$d(X^{\\begin{aligned} & 2 \\\\ & k \\end{aligned}})$$"));
  EXPECT_FALSE(doubted("$$\\begin{aligned} x_{i} & = 2 \\\\ & +y^{2} \\end{aligned}$$"));
  EXPECT_FALSE(doubted("$$\\sum_{i}\\left\\{ \\begin{aligned} & 2 \\end{aligned} \\right.$$"));
  EXPECT_FALSE(doubted("the isotope ${}^{14}C$ alone"));
  EXPECT_FALSE(doubted("$${}^{14}C\\to{}^{14}N$$"));
}

TEST(PageOffice, ManyShortPiecesSideBySideAreDoubtedUnlessTheyAreAList) {
  const auto doubted = [](RegionKind kind, int columns) {
    PageDrafts page;
    for (int id = 0; id < 12; ++id) {
      const int x = 200 * (id % columns), y = 50 * (id / columns);
      const Box place{x, y, x + 120, y + 30};
      page.regions.push_back({id, id, kind, place, 1});
      page.drafts.push_back({id, "ocr", "a label", 1, {{"a", place}, {"label", place}}});
    }
    return !doubt_of_scattered_text(page).empty();
  };
  EXPECT_TRUE(doubted(RegionKind::text, 3));
  EXPECT_FALSE(doubted(RegionKind::text, 1));
  EXPECT_FALSE(doubted(RegionKind::list_item, 3));
}

TEST(PageOffice, ANumberCutAtItsHyphenIsOne) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  page.drawing = grid({72, 180, 300}, 690, 34, 4);
  page.lines.push_back({76, 676, "X", 10});
  page.lines.push_back({184, 676, "Y", 10});
  for (int row = 1; row < 4; ++row)
    for (int column = 0; column < 2; ++column) {
      page.lines.push_back({76.0 + 108 * column, 676.0 - 34 * row, "1.25000000e-", 10});
      page.lines.push_back({76.0 + 108 * column, 663.0 - 34 * row, "0" + std::to_string(row), 10});
    }
  add_prose(page, 72, 500, 3);
  expect_has(markdown_of(page), "1.25000000e-02 |");
}

TEST(PageOffice, TwoHeadsThatBeginAsTheirColumnsAreTwo) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  page.drawing = rule(72, 500, 690) + grid({72, 280, 500}, 672, 18, 3) +
                 rectangle("f", 72, 672, 0.6, 18) + rectangle("f", 499.4, 672, 0.6, 18);
  const char* const cells[][2] = {{"Attribute", "Description"},
                                  {"Literacy", "from students to workers"},
                                  {"Access", "often limited"},
                                  {"Language", "may prefer others"}};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 2; ++column)
      page.lines.push_back({76.0 + 208 * column, 677.0 - 18 * row, cells[row][column], 10});
  add_prose(page, 72, 580, 3);
  expect_has(markdown_of(page), "| Attribute | Description |");
}

TEST(PageOffice, HeadsOverAThickRuleAreOfItsTable) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  page.drawing = rectangle("f", 72, 660, 428, 2) + rule(72, 500, 630) + rule(72, 500, 600) +
                 rule(72, 500, 570);
  page.lines.push_back({230, 670, "Food", 14});
  page.lines.push_back({380, 670, "Calories", 14});
  const char* const cells[][3] = {{"Leaves", "Ash, Elm", "50"},
                                  {"Berries", "Blueberry", "150"},
                                  {"Grain", "Corn, Barley", "200"}};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back(
          {column == 0 ? 170 : 80.0 + 150 * column, 642.0 - 30 * row, cells[row][column], 10});
  add_prose(page, 72, 540, 3);
  expect_has(markdown_of(page), "|  | Food | Calories |");
}

TEST(PageOffice, AFormToWriteInIsATable) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  page.drawing = grid({72, 172, 272, 372, 472}, 690, 20, 7);
  page.lines.push_back({76, 676, "ENGLISH", 10, "F2"});
  page.lines.push_back({176, 656, "Report", 10});
  add_prose(page, 72, 520, 3);
  expect_has(markdown_of(page), "| ENGLISH |  |  |  |");
  // Lines behind the curve of a chart are none.
  std::string curve = "2 w 72 560 m 150 640 220 580 472 680 c S\n";
  page.drawing += curve;
  expect_lacks(markdown_of(page), "| ENGLISH |");
}

TEST(PageOffice, EllipsesLeadToAPageNumber) {
  std::vector<Word> words;
  for (int row = 0; row < 3; ++row) {
    words.push_back({"INTRODUCTION………………………….…" + std::to_string(4 + row),
                     {100, 100 + 30 * row, 700, 120 + 30 * row}});
  }
  words.push_back({"其实呢……是", {100, 300, 300, 320}});
  add_leaders(words);
  EXPECT_TRUE(ends_with_leader(words[0].text)) << words[0].text;
  EXPECT_EQ(without_leaders(words[0].text), "INTRODUCTION ... 4");
  EXPECT_EQ(words[3].text, "其实呢……是");
}

TEST(PageOffice, LettersJoinedToTheirItemsAreParted) {
  std::vector<Word> words;
  const char* const texts[] = {"a)SELECT", "b)SELECT", "f)x", "c)SELECT"};
  for (int row = 0; row < 4; ++row)
    words.push_back({texts[row], {100, 100 + 30 * row, 200, 120 + 30 * row}});
  part_numbers(words);
  ASSERT_EQ(words.size(), 7u);
  EXPECT_EQ(words[0].text, "a)");
  EXPECT_EQ(words[1].text, "SELECT");
  EXPECT_EQ(words[4].text, "f)x");
}

TEST(PageOffice, TheNumberOfAReferenceIsPartedWhereAnotherOneCountsOn) {
  const auto read = [](const std::vector<std::string>& texts) {
    std::vector<Word> words;
    for (int row = 0; row < int(texts.size()); ++row)
      words.push_back({texts[size_t(row)], {100, 100 + 30 * row, 200, 120 + 30 * row}});
    part_numbers(words);
    return words.size();
  };
  EXPECT_EQ(read({"[1]", "[2]Shevchenko"}), 3u);
  EXPECT_EQ(read({"[1]Hanna", "[2]Shevchenko", "[7]Gusev"}), 5u);
  EXPECT_EQ(read({"[1]", "[3]Shevchenko"}), 2u);
  EXPECT_EQ(read({"[1]", "[2]a"}), 2u);
}

TEST(PageOffice, TheTitleOfASlideIsNoHeader) {
  PdfPage page;
  page.width = 720, page.height = 540;
  page.lines.push_back({232, 500, "Interaction Diagram Properties", 22, "F2"});
  page.drawing = rule(20, 330, 480);
  const char* const points[] = {"UML interaction diagrams represent behaviour",
                                "Useful to find missing objects", "Time consuming to build",
                                "Complement the class diagrams"};
  for (int row = 0; row < 4; ++row) page.lines.push_back({79, 420.0 - 40 * row, points[row], 22});
  expect_has(markdown_of(page), "# Interaction Diagram Properties");
  // Lines before which the same small picture stands are items.
  for (int row = 0; row < 4; ++row)
    page.drawing += "0.3 0.5 0.8 rg " + rectangle("f", 50, 420.0 - 40 * row, 14, 14) + "1 1 1 rg " +
                    rectangle("f", 55, 425.0 - 40 * row, 9, 4) + "0 0 0 rg ";
  expect_has(markdown_of(page), "- Useful to find missing objects\n- Time consuming to build");
}

TEST(PageOffice, ATitleInTheMiddleStandsBeforeTheHeadingBelowIt) {
  PdfPage page;
  page.lines.push_back({250, 690, "Requirements", 26, "F2"});
  page.lines.push_back({90, 620, "1 Preface", 26, "F2"});
  add_prose(page, 90, 560, 20);
  const std::string text = markdown_of(page);
  EXPECT_LT(text.find("Requirements"), text.find("1 Preface")) << text;
}

TEST(PageOffice, ATypedOBeforeTextIsABullet) {
  std::vector<Word> words;
  for (int row = 0; row < 2; ++row) {
    const int y = 100 + 40 * row;
    words.push_back({"o", {100, y, 110, y + 20}, 1, 12, "LiberationMono"});
    words.push_back({"Role-based", {124, y, 200, y + 20}, 1, 12, "LiberationSans"});
  }
  restore_symbol_bullets(words);
  EXPECT_EQ(words[0].text, "•");
  EXPECT_EQ(words[2].text, "•");
}

TEST(PageOffice, SmallIndentsNestTheItemsOfASlide) {
  PdfPage page;
  page.width = 720, page.height = 540;
  page.lines.push_back({60, 500, "Contents", 28, "F2"});
  const std::pair<double, const char*> items[] = {
      {55, "learning"},      {67, "features"}, {81, "principal components"},
      {81, "sparse coding"}, {67, "density"},  {55, "optimising"}};
  for (int row = 0; row < 6; ++row) {
    page.lines.push_back({items[row].first, 440.0 - 40 * row, "-", 26});
    page.lines.push_back({items[row].first + 16, 440.0 - 40 * row, items[row].second, 26});
  }
  const std::string text = markdown_of(page);
  expect_has(text,
             "- learning\n  - features\n    - principal components\n    - sparse coding\n"
             "  - density\n- optimising");
}

TEST(PageOffice, LabelsOfADrawingAreNoTable) {
  PdfPage page;
  page.width = 720, page.height = 540;
  const char* const labels[][3] = {{"Reader", "Parser", "Writer"},
                                   {"Input", "Tree", "Output"},
                                   {"Bytes", "Nodes", "Pages"},
                                   {"Open", "Visit", "Close"}};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      page.lines.push_back({100.0 + 200 * column, 440.0 - 30 * row, labels[row][column], 16});
  expect_has(markdown_of(page), "| Reader | Parser | Writer |");
  for (int column = 0; column < 3; ++column) {
    const std::string x = std::to_string(85 + 200 * column),
                      far = std::to_string(195 + 200 * column);
    for (int row = 0; row < 4; ++row) {
      const std::string y = std::to_string(445 - 30 * row), up = std::to_string(462 - 30 * row),
                        down = std::to_string(428 - 30 * row);
      page.drawing += "1.5 w " + x + " " + y + " m " + x + " " + up + " " + far + " " + up + " " +
                      far + " " + y + " c " + far + " " + down + " " + x + " " + down + " " + x +
                      " " + y + " c S\n";
    }
  }
  expect_lacks(markdown_of(page), "| Reader |");
}

TEST(PageOffice, SignsOfCodeAreNoGarbledLetters) {
  std::vector<Word> words;
  const char* const plain[] = {"several", "ordinary", "lines", "of", "the", "text", "in", "here"};
  for (int i = 0; i < 160; ++i) words.push_back({plain[i % 8], {0, 20 * i, 40, 20 * i + 10}});
  for (int i = 0; i < 12; ++i)
    words.push_back(
        {"Select=\"./Name" + std::string(1, char('a' + i)) + "\"", {50, 20 * i, 90, 10}});
  EXPECT_TRUE(reads_as_language(words));
  for (int i = 0; i < 12; ++i)
    words.push_back({"AIJt!tv:y" + std::string(1, char('a' + i)), {50, 20 * i, 90, 10}});
  EXPECT_FALSE(reads_as_language(words));
}

}  // namespace
}  // namespace docspec

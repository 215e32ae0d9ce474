#include "drafts/text/region_text.h"

#include <gtest/gtest.h>

#include "drafts/layout/region_rules.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/table_structure.h"
#include "drafts/text/text_trust.h"

namespace docspec {
namespace {

/// Words of 10-pixel letters on lines 20 pixels apart.
std::vector<Word> words_of(const std::vector<std::string>& lines) {
  std::vector<Word> words;
  for (size_t row = 0; row < lines.size(); ++row) {
    for (size_t at = 0; at < lines[row].size();) {
      size_t end = std::min(lines[row].find(' ', at), lines[row].size());
      if (end > at) {
        const int y = int(row) * 20;
        words.push_back(
            {lines[row].substr(at, end - at), {int(at) * 10, y, int(end) * 10, y + 16}});
      }
      at = end + 1;
    }
  }
  return words;
}

std::string text_of(const std::vector<std::string>& lines, RegionKind kind = RegionKind::text) {
  const auto drafts =
      region_drafts({{0, 0, kind, {0, 0, 2000, 2000}, 1}}, words_of(lines), 72, "x");
  return drafts.empty() ? "" : drafts[0].text;
}

TEST(RegionText, JoinsLinesAndHyphens) {
  EXPECT_EQ(text_of({"a para-", "graph of", "lines"}), "a paragraph of lines");
  EXPECT_EQ(text_of({"the Figure-", "Caption is 3-", "fold"}), "the Figure-Caption is 3-fold");
  EXPECT_EQ(text_of({"well-known things are well-", "known"}), "well-known things are well-known")
      << "the page writes it with its hyphen elsewhere";
  EXPECT_EQ(text_of({}), "");
}

/// Lines of OCR that lean so much that each reaches into the rows of its neighbours.
std::vector<Word> leaning(const std::vector<std::string>& lines) {
  std::vector<Word> words = words_of(lines);
  for (Word& word : words) {
    word.line = word.box.y0 / 20 + 1;
    word.box.y0 += word.box.x0 / 5;
    word.box.y1 += word.box.x0 / 5;
  }
  return words;
}

TEST(RegionText, LinesThatOcrFoundStayWholeOnBentPaper) {
  const std::vector<std::string> lines = {"one two three four five six", "seven eight nine ten",
                                          "eleven twelve thirteen"};
  const std::vector<Word> words = leaning(lines);
  const auto drafts =
      region_drafts({{0, 0, RegionKind::text, {0, 0, 2000, 2000}, 1}}, words, 72, "x");
  EXPECT_EQ(drafts.at(0).text,
            "one two three four five six seven eight nine ten eleven twelve thirteen");
  const std::vector<TextLine> found = group_lines(words, 72);
  ASSERT_EQ(found.size(), 3u);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(line_text(words, found[i].words), lines[i]);
}

TEST(RegionText, LinesThatOcrPartedAreTwoColumnsWhereNothingRunsAcross) {
  std::vector<Word> words = words_of({"left hand xright hand", "left hand xright hand"});
  for (Word& word : words) {
    const bool right = word.box.x0 >= 100;
    if (right) word.box.x0 += 20, word.box.x1 += 20;  // less than an em, more than a blank
    word.line = word.box.y0 / 20 * 2 + 1 + right;
  }
  EXPECT_EQ(group_lines(words, 144).size(), 4u);
}

TEST(RegionText, KeepsLinesAndIndentsOfCode) {
  EXPECT_EQ(text_of({"if x:", "    y = 1", "z"}, RegionKind::code), "if x:\n    y = 1\nz");
}

TEST(RegionText, WritesAClearTableAsHtml) {
  EXPECT_EQ(text_of({"a      b      c", "1      <2>    3", "4      5      6"}, RegionKind::table),
            "<table><tr><td>a</td><td>b</td><td>c</td></tr><tr><td>1</td><td>&lt;2&gt;</td><td>3</"
            "td></tr>"
            "<tr><td>4</td><td>5</td><td>6</td></tr></table>");
  EXPECT_EQ(text_of({"no table", "at all"}, RegionKind::table), "no table\nat all");
}

TEST(RegionText, PartsCloseColumnsWhereAllRowsLeaveAGap) {
  // The words of a row are one line: the gap is as wide as a letter.
  EXPECT_EQ(text_of({"Item  Count  Price", "Rope      6  41.20", "Lamp     24   3.15"},
                    RegionKind::table),
            "<table><tr><td>Item</td><td>Count</td><td>Price</td></tr>"
            "<tr><td>Rope</td><td>6</td><td>41.20</td></tr>"
            "<tr><td>Lamp</td><td>24</td><td>3.15</td></tr></table>");
}

TEST(RegionText, TakesTheBulletOffAListItemAndKeepsItsWord) {
  for (const char* item : {"• an item", "– an item", "* an item", "\u2023 an item"})
    EXPECT_EQ(text_of({item}, RegionKind::list_item), "an item");
  EXPECT_EQ(text_of({"2. an item"}, RegionKind::list_item), "2. an item");
  EXPECT_EQ(text_of({"• no item"}), "• no item");
  EXPECT_EQ(region_drafts({{0, 0, RegionKind::list_item, {0, 0, 2000, 2000}, 1}},
                          words_of({"• an item"}), 72, "x")[0]
                .words.size(),
            3u);
}

TEST(RegionText, GivesEachWordToTheSmallestRegionAndPicturesLast) {
  const std::vector<Region> regions = {{0, 0, RegionKind::picture, {0, 0, 30, 30}, 1},
                                       {1, 1, RegionKind::text, {0, 0, 500, 500}, 1},
                                       {2, 2, RegionKind::text, {100, 0, 200, 50}, 1}};
  const std::vector<Word> words = {
      {"a", {5, 5, 15, 15}}, {"b", {120, 5, 140, 15}}, {"c", {900, 5, 920, 15}}};
  const auto own = assign_words(words, regions);
  EXPECT_TRUE(own[0].empty());
  EXPECT_EQ(own[1], std::vector<int>{0});
  EXPECT_EQ(own[2], std::vector<int>{1});
}

TEST(TextLines, PutsEachWordInOneLineAndSplitsAtColumns) {
  const auto words =
      words_of({"left words here      right words", "more of left         and right"});
  const auto lines = group_lines(words, 72);
  EXPECT_EQ(lines.size(), 4u);
  size_t count = 0;
  for (const TextLine& line : lines) count += line.words.size();
  EXPECT_EQ(count, words.size());
}

TEST(TextLines, ReadsRightToLeftLinesFromTheRight) {
  const std::vector<Word> words = {
      {"Python", {10, 0, 70, 16}}, {"גדול", {100, 0, 140, 16}}, {"שלום", {150, 0, 190, 16}}};
  EXPECT_EQ(line_text(words, std::vector<int>{0, 1, 2}), "שלום גדול Python");
}

TEST(TextLines, PartsWordsWhereTheDirectionTurns) {
  const std::vector<Word> words = {{.text = "عن", .box = {10, 0, 40, 16}, .space_after = false},
                                   {.text = "Python", .box = {40, 0, 90, 16}, .space_after = false},
                                   {.text = "شرح", .box = {100, 0, 140, 16}},
                                   {.text = "كتاب", .box = {150, 0, 190, 16}}};
  EXPECT_EQ(line_text(words, std::vector<int>{0, 1, 2, 3}), "كتاب شرح Python عن");
}

TEST(TextLines, JoinsRightToLeftLettersThatTouchAndTurnsTheBracketsOfThePaint) {
  // Poppler parts such letters and calls that a blank; brackets are words of their own.
  std::vector<Word> words = {{"(", {4, 0, 9, 16}},    {"PDF", {10, 0, 60, 16}},
                             {"ם", {72, 0, 80, 16}},  {"ו", {80, 0, 84, 16}},
                             {"ל", {84, 0, 92, 16}},  {"ש", {92, 0, 102, 16}},
                             {")", {102, 0, 107, 16}}};
  for (Word& word : words) word.font = "ArialMT", word.space_after = false;
  EXPECT_EQ(line_text(words, std::vector<int>{2, 3, 4, 5}), "שלום");
  EXPECT_EQ(line_text(words, std::vector<int>{0, 1, 2, 3, 4, 5, 6}), "(שלום PDF)");
}

TEST(TextLines, KnowsListMarkers) {
  for (const char* marker : {"•", "1.", "12)", "(a)", "[3]", "iv.", "2.1", "-"})
    EXPECT_TRUE(is_list_marker(marker)) << marker;
  for (const char* word : {"J.P.", "U.S.", "a", "The", "1998.", "", "x-ray", "(see", "(415)"})
    EXPECT_FALSE(is_list_marker(word)) << word;
}

TEST(RegionRules, KnowsCaptions) {
  for (const char* text :
       {"Figure 3: A plot", "Tab. 1. Numbers", "Table 2-1 FUNCTION_USAGE view", "Listing A1: x",
        "Figure 4 Tree of a word.", "Figure 15 (until July)", "Figure 2\u2014Windows"})
    EXPECT_TRUE(opens_caption(text)) << text;
  for (const char* text :
       {"Figure 3 shows a plot.", "Figures are nice", "Table", "The Table 1: x", "Table 2 On it."})
    EXPECT_FALSE(opens_caption(text)) << text;
}

TEST(TextTrust, RefusesUnprintableWordsAndStampsOnScans) {
  std::vector<Word> words = words_of({"these are ten good words that stand on the page"});
  EXPECT_TRUE(trust_text_layer(words, nullptr, nullptr, 1, 612, 792));
  EXPECT_FALSE(trust_text_layer({}, nullptr, nullptr, 1, 612, 792));
  words[3].text = "\uFFFD\uFFFD";
  EXPECT_FALSE(trust_text_layer(words, nullptr, nullptr, 1, 612, 792));
  words[3].text = "\u4D00\u7500\u6C00";  // "Mul" with its bytes swapped
  EXPECT_FALSE(trust_text_layer(words, nullptr, nullptr, 1, 612, 792));
  PageImage scan(1, 612, 792, 72);
  for (int y = 20; y < 780; ++y)
    for (int x = 20; x < 590; ++x) scan.row(y)[x * 3] = uint8_t(x * y);
  const InkMap ink(scan, 1);
  const std::vector<Word> stamp = {{"Scanned", {40, 4, 80, 14}}};
  EXPECT_FALSE(trust_text_layer(stamp, &ink, &scan, 1, 612, 792));
}

}  // namespace
}  // namespace docspec

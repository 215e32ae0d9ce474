// Pages that were misread in the draw of seed 70: narrow gutters, long cells, labels with colons,
// indexes, listings, running headers, marks of notes, spaced Chinese.
#include <gtest/gtest.h>

#include <algorithm>

#include "drafts/lines/bullets.h"
#include "drafts/lines/line_joiner.h"
#include "drafts/lines/line_text.h"
#include "drafts/text/drop_caps.h"
#include "drafts/text/hard_breaks.h"
#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;
using test::text_width;

/// `text` set so that it is `width` points wide, as TeX justifies it.
void add_justified(PdfPage& page, double x, double y, const std::string& text, double width) {
  const double blanks = double(std::count(text.begin(), text.end(), ' '));
  const double spare = (width - text_width(text, "F4", 11)) / blanks;
  page.drawing += "BT /F4 11 Tf " + std::to_string(spare) + " Tw " + std::to_string(x) + " " +
                  std::to_string(y) + " Td (" + text + ") Tj ET 0 Tw ";
}

TEST(PageSeed70, TwoColumnsMayBeNearerThanAnEm) {
  PdfPage page;
  const char* const rows[] = {"each of the rows in this column goes on below",
                              "and all of them are as wide as it is so that",
                              "nothing but the gutter parts them from what",
                              "stands beside them on the other side of it,"};
  for (int row = 0; row < 24; ++row) {
    add_justified(page, 72, 700 - 14.0 * row, rows[row % 4], 216);
    add_justified(page, 297, 700 - 14.0 * row, rows[(row + 2) % 4], 216);
  }
  const std::string text = markdown_of(page);
  expect_has(text, "goes on below and all of them");
  expect_lacks(text, "goes on below nothing but");
}

TEST(PageSeed70, SentencesBesideShortCellsAreCells) {
  PdfPage page;
  add_prose(page, 72, 740, 3);
  const char* const texts[] = {"Brees passes deep to the left to Meachem for fifty yards",
                               "Brees passes deep to Colston for twenty yards, pushed out",
                               "Brees passes to Hill", "Robinson runs for seventeen yards in all"};
  const char* const names[] = {"1-10-NO 23", "1-10-SEA 9", "1-10-NO 38", "2-10-NO 20"};
  for (int row = 0; row < 4; ++row) {
    page.lines.push_back({76, 660.0 - 14 * row, std::to_string(10 + row), 10});
    page.lines.push_back({120, 660.0 - 14 * row, names[row], 10});
    page.lines.push_back({220, 660.0 - 14 * row, texts[row], 10});
  }
  add_prose(page, 72, 560, 3);
  expect_has(markdown_of(page), "| 11 | 1-10-SEA 9 | Brees passes deep to Colston");
}

TEST(PageSeed70, ATableBelowAnotherHasATitleAndAHeadOfItsOwn) {
  PdfPage page;
  add_prose(page, 72, 760, 3);
  double y = 690;
  const auto row = [&](const std::vector<std::pair<double, const char*>>& cells, const char* font) {
    for (const auto& [x, text] : cells) page.lines.push_back({x, y, text, 10, font});
    y -= 13;
  };
  row({{72, "Team"}, {250, "Offense"}, {330, "Defense"}}, "F2");
  row({{72, "Visitor"}, {260, "2"}, {340, "0"}}, "F1");
  row({{72, "Home"}, {260, "2"}, {340, "1"}}, "F1");
  row({{72, "Guest"}, {260, "4"}, {340, "1"}}, "F1");
  y -= 8;
  row({{72, "Player Information"}}, "F2");
  row({{72, "Club"}, {110, "Player"}, {200, "TD"}, {290, "Rush"}, {400, "Points"}}, "F2");
  row({{72, "NO"}, {110, "Robinson"}, {205, "0"}, {300, "1"}, {410, "6"}}, "F1");
  row({{72, "NO"}, {110, "Colston"}, {205, "1"}, {300, "0"}, {410, "6"}}, "F1");
  row({{72, "SEA"}, {110, "Lynch"}, {205, "0"}, {300, "2"}, {410, "12"}}, "F1");
  add_prose(page, 72, 500, 3);
  const std::string text = markdown_of(page);
  expect_has(text, "| Guest | 4 | 1 |\n\n");
  expect_has(text, "<td>NO</td><td>Robinson</td><td>0</td><td>1</td><td>6</td>");
}

TEST(PageSeed70, AColonOpensWhatALabelSays) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const char* const names[] = {"ASSIGN", "OR", "MINUS", "LT"};
  for (int row = 0; row < 4; ++row) {
    page.lines.push_back({80, 650.0 - 16 * row, names[row], 10, "F2"});
    page.lines.push_back({140, 650.0 - 16 * row, ": tells one sign from the others;", 10});
  }
  add_prose(page, 72, 560, 4);
  expect_has(markdown_of(page), "**OR** : tells one sign from the others;\n\n**MINUS** : tells");
}

TEST(PageSeed70, TheEntriesOfAnIndexAreParted) {
  PdfPage page;
  page.lines.push_back({72, 740, "Index", 14, "F2"});
  const char* const names[] = {"Advance payment", "Agent reporting", "Agricultural employers"};
  for (int row = 0; row < 18; ++row) {
    const double y = 710 - 9.0 * row;
    const std::string number = std::to_string(3 + row);
    page.lines.push_back({72, y, names[row % 3], 7, "F2"});
    page.lines.push_back({180, y, "................", 9});
    page.lines.push_back({250 - text_width(number, "F1", 7), y, number, 7});
  }
  const std::string text = markdown_of(page);
  expect_has(text, "- Agent reporting ... 4\n- Agricultural employers ... 5");
  expect_lacks(text, "# Agent");
}

TEST(PageSeed70, ACommentOfCodeMayStandFarToTheRight) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  const std::pair<const char*, const char*> rows[] = {{"data = file.read()", "# put in memory"},
                                                      {"try:", "# see whether it opens"},
                                                      {"  return Reader(data)", ""}};
  for (int row = 0; row < 3; ++row) {
    page.lines.push_back({76, 660.0 - 12 * row, rows[row].first, 10, "F3"});
    if (row < 2) page.lines.push_back({376, 660.0 - 12 * row, rows[row].second, 10, "F3"});
  }
  add_prose(page, 72, 600, 4);
  const std::string text = markdown_of(page);
  expect_has(text, "                # see whether it opens\n");
  expect_lacks(text, "```\n\n```");
}

TEST(PageSeed70, AFewWordsOfWideCodeTellItsGrid) {
  PdfPage page;
  add_prose(page, 72, 740, 4);
  double x = 80;
  for (const std::string word : {"tar", "-zxvf", "openmpi", "-4.0.tar"}) {
    page.drawing += "BT /F3 10 Tf 0.8 Tc " + std::to_string(x) + " 660 Td (" + word + ") Tj ET ";
    x += 6.8 * double(word.size()) + (word == "openmpi" ? 1.4 : 6.8);
  }
  page.drawing += "0 Tc ";
  add_prose(page, 72, 620, 4);
  expect_has(markdown_of(page), "tar -zxvf openmpi-4.0.tar\n");
}

TEST(PageSeed70, ASmallLineBelowTheRunningHeaderGoesWithIt) {
  PdfPage page;
  page.lines.push_back({72, 700, "12", 9, "F4"});
  page.lines.push_back({180, 700, "TARRANT WATER DIST. v. HERRMANN", 9, "F4"});
  page.lines.push_back({265, 677, "Opinion of the Court", 9, "F4"});
  for (int row = 0; row < 30; ++row)
    page.lines.push_back({100, 655.0 - 13 * row, test::kProse + " and a few more words", 12, "F4"});
  const std::string text = markdown_of(page);
  expect_lacks(text, "Opinion");
  expect_has(text, "a line of plain words");
}

TEST(PageSeed70, LinesInTitleCaseAboveProseAreHeadings) {
  PdfPage page;
  const auto add = [&](double y, const char* title) {
    page.lines.push_back({72, y, title, 10});
    for (int row = 0; row < 3; ++row)
      page.lines.push_back({72, y - 26 - 13 * row, test::kProse + (row == 2 ? "." : ""), 10});
  };
  add_prose(page, 72, 740, 3);
  add(690, "What Happens After the Review?");
  add(610, "Exceptions");
  add(530, "Tips for New Employees");
  const std::string text = markdown_of(page);
  expect_has(text, "# What Happens After the Review?\n");
  expect_has(text, "# Exceptions\n");
  PdfPage one;
  std::swap(one, page);
  one.lines[11].text = "Tips for new employees";
  expect_lacks(markdown_of(one), "#");
}

TEST(PageSeed70, SmallRomanAndSlantedLetteredLinesAreHeadings) {
  PdfPage page;
  const auto prose = [&](double y) {
    for (int row = 0; row < 5; ++row)
      page.lines.push_back({72, y - 13.0 * row, test::kProse, 10, "F4"});
  };
  prose(740);
  page.lines.push_back({200, 660, "II. THE HAND OF THE MARKET", 8, "F4"});
  prose(640);
  page.lines.push_back({72, 560, "A. Transactions and technologies.", 10, "F6"});
  prose(540);
  const std::string text = markdown_of(page);
  expect_has(text, "# II. THE HAND OF THE MARKET\n");
  expect_has(text, "# A. Transactions and technologies.\n");
}

TEST(PageSeed70, TheFootOfAFormIsNoHeading) {
  PdfPage page;
  add_prose(page, 72, 740, 8);
  page.lines.push_back({72, 360, "(keep for your records)", 12});
  page.lines.push_back({72, 300, "Form 1099", 12, "F2"});
  page.lines.push_back({240, 300, "www.example.org/form", 8});
  page.lines.push_back({400, 300, "Department of the Treasury", 8});
  expect_lacks(markdown_of(page), "#");
}

Word word(const std::string& text, int x, int width, double size = 10, int y = 100,
          const std::string& font = "F") {
  return {text, {x, y, x + width, y + int(2 * size)}, 1, size, font};
}

std::string line_of(const std::vector<Word>& words) {
  std::vector<int> all(words.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = int(i);
  return line_text(words, all);
}

TEST(PageSeed70, RaisedMarksMayHaveCommasBetweenThem) {
  EXPECT_EQ(line_of({word("Muller", 0, 60), word("1,*", 60, 10, 6, 98)}), "Muller¹,*");
  EXPECT_EQ(line_of({word("1", 0, 6, 6, 98), word("Cavendish", 14, 90)}), "¹ Cavendish");
}

TEST(PageSeed70, WhiteBetweenChineseLettersIsNoBlank) {
  std::vector<Word> words;
  const char* const letters[] = {"元", "嘉", "二", "十", "七", "年", "("};
  for (int i = 0; i < 7; ++i) words.push_back(word(letters[i], 23 * i, i < 6 ? 20 : 10));
  words.push_back(word("450", 151 + 3, 30));
  for (Word& one : words) one.space_after = true;
  EXPECT_EQ(line_of(words), "元嘉二十七年( 450");
  // As wide as that of its neighbours, where a line is set without white.
  std::vector<Word> close = {word("线性代数", 0, 80), word("Homework", 83, 80)};
  close[0].space_after = true;
  EXPECT_EQ(line_of(close), "线性代数 Homework");
}

TEST(PageSeed70, AChineseLineEndsEarlyForASignThatOpensNone) {
  const auto breaks = [](const char* next) {
    std::vector<Word> words;
    std::vector<std::vector<int>> rows;
    for (int row = 0; row < 3; ++row) {
      words.push_back(word(row == 1 ? std::string(next) + "草树寻常巷陌人道寄奴曾住想当年"
                                    : "千古江山英雄无觅孙仲谋处舞榭歌台风流",
                           100, row == 0 ? 350 : 400, 10, 100 + 30 * row));
      rows.push_back({row});
    }
    return hard_breaks(words, rows, 0);
  };
  EXPECT_FALSE(breaks("去。斜")[1]);
  EXPECT_TRUE(breaks("去斜阳")[1]);
}

TEST(PageSeed70, AnAddressMayBeCutBehindItsScheme) {
  const LineJoiner joiner({});
  MarkedText text{"see https:", {}};
  joiner.add(text, {"//example.org/a", {}});
  EXPECT_EQ(text.text, "see https://example.org/a");
  MarkedText compound{"a business-", {}};
  joiner.add(compound, {"class server", {}});
  EXPECT_EQ(compound.text, "a business-class server");
}

TEST(PageSeed70, ADropCapitalGoesWithTheLeftmostWordOfItsFirstLine) {
  std::vector<Word> words = {word("W", 0, 40, 24, 100),        word("E", 44, 10, 8, 104),
                             word("suggest", 60, 70, 10, 100), word("modern", 44, 60, 10, 124),
                             word("rows", 0, 40, 10, 148),     word("below", 44, 40, 10, 148)};
  join_drop_caps(words);
  EXPECT_EQ(words[0].text, "WE");
}

TEST(PageSeed70, AStarThatOpensLinesIsABullet) {
  std::vector<Word> words;
  for (int row = 0; row < 2; ++row) {
    words.push_back(word("∗", 100, 10, 10, 100 + 30 * row, "CMSY10"));
    words.push_back(word("Q", 120, 14, 10, 100 + 30 * row, "CMMI10"));
    words.push_back(word("grows", 140, 40, 10, 100 + 30 * row, "CMR10"));
  }
  restore_symbol_bullets(words);
  EXPECT_EQ(words[0].text, "•");
  words[0].text = "∗";
  std::vector<Word> one(words.begin(), words.begin() + 3);
  restore_symbol_bullets(one);
  EXPECT_EQ(one[0].text, "∗") << "the mark of a note";
}

}  // namespace
}  // namespace docspec

// Tables that a net reads: its cells and the page's words, and the choice between them and rules.
#include "drafts/table/seen/seen_tables.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "drafts/grid/cell_text.h"
#include "drafts/table/seen/seen_cells.h"

namespace docspec {
namespace {

constexpr int kColumn = 200, kRow = 40, kLetter = 10;
constexpr double kEm = 20;

/// Words of a page, each line of them at (x, y).
struct WordPage {
  std::vector<Word> words;
  std::vector<TextLine> lines;

  void write(int x, int y, const std::string& text) {
    TextLine line;
    std::istringstream parts(text);
    for (std::string part; parts >> part; x += kLetter / 2) {
      const int width = kLetter * int(part.size());
      line.words.push_back(int(words.size()));
      words.push_back({part, {x, y, x + width, y + 20}, 1, 10});
      line.box = unite(line.box, words.back().box);
      x += width;
    }
    line.size_px = kEm;
    lines.push_back(std::move(line));
  }
  /// A row of a table, its cells as wide as each other.
  void row(int r, const std::vector<std::string>& cells) {
    for (size_t c = 0; c < cells.size(); ++c)
      if (!cells[c].empty()) write(int(c) * kColumn + 10, r * kRow + 10, cells[c]);
  }
};

SeenTable grid(int rows, int columns) {
  SeenTable table{rows, columns, {}, 1, true};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      table.cells.push_back(
          {r, c, 1, 1, {c * kColumn, r * kRow, (c + 1) * kColumn - 10, (r + 1) * kRow - 10}});
  return table;
}

constexpr Box kArea{0, 0, 2000, 2000};

std::string text_in(const GridCell& cell, const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words)
    if (holds_middle(cell.box, word.box)) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

TEST(SeenCells, WordsStandInTheCellsThatTheyLieOn) {
  WordPage page;
  page.row(0, {"Pier", "Depth"});
  page.row(1, {"north east", ""});
  page.row(2, {"south", "7.25"});
  const FilledTable table = fill_cells(grid(3, 2), kArea, page.words, kEm);
  EXPECT_EQ(table.fit, 1);
  ASSERT_EQ(table.cells.size(), 6u);
  EXPECT_EQ(text_in(table.cells[2], page.words), "north east");
  EXPECT_TRUE(table.cells[3].box.empty());
  EXPECT_EQ(text_in(table.cells[5], page.words), "7.25");
}

TEST(SeenCells, WordsOfAPhraseOnTwoCellsGoToBoth) {
  WordPage page;
  page.row(0, {"Pier", "Depth"});
  page.write(130, kRow + 10, "Norther shallow");  // OCR ran on across the edge at 200
  const FilledTable table = fill_cells(grid(2, 2), kArea, page.words, kEm);
  EXPECT_EQ(text_in(table.cells[2], page.words), "Norther");
  EXPECT_EQ(text_in(table.cells[3], page.words), "shallow");
}

TEST(SeenCells, RowsThatTheNetJoinedOrMadeUpDoNotFit) {
  WordPage page;
  for (int r = 0; r < 4; ++r) page.row(r, {"pier", std::to_string(r) + ".5"});
  SeenTable joined = grid(2, 2);
  for (GridCell& cell : joined.cells)
    cell.box.y0 = cell.row * 2 * kRow, cell.box.y1 = (cell.row + 1) * 2 * kRow - 10;
  EXPECT_LE(fill_cells(joined, kArea, page.words, kEm).fit, 0.5);
  EXPECT_EQ(fill_cells(grid(4, 2), kArea, page.words, kEm).fit, 1);
  EXPECT_LT(fill_cells(grid(6, 2), kArea, page.words, kEm).fit, 0.8);
}

TEST(SeenCells, LinesAsFarApartInACellAsBelowItAreRows) {
  WordPage page;
  for (int r = 0; r < 5; ++r) page.row(r, {"pier", "stone"});
  SeenTable joined = grid(4, 2);  // the second and third line are one row to the net
  for (GridCell& cell : joined.cells) {
    if (cell.row == 1) cell.box.y1 += kRow;
    if (cell.row > 1) cell.box.y0 += kRow, cell.box.y1 += kRow;
  }
  EXPECT_EQ(fill_cells(joined, kArea, page.words, kEm).fit, 0.6);
  WordPage wrapped;
  wrapped.row(0, {"pier", "stone"});
  for (const int y : {kRow + 10, kRow + 32}) {  // one row of two lines
    wrapped.write(10, y, "pier");
    wrapped.write(kColumn + 10, y, "stone");
  }
  for (int r = 3; r < 5; ++r) wrapped.row(r, {"pier", "stone"});
  EXPECT_EQ(fill_cells(joined, kArea, wrapped.words, kEm).fit, 1);
}

TEST(SeenCells, ThingsFarApartInOneCellDoNotFit) {
  WordPage page;
  page.row(0, {"pier", "4.5", "ebb"});
  page.row(1, {"quay", "5.5", "flow"});
  SeenTable wide = grid(2, 2);
  for (GridCell& cell : wide.cells)
    if (cell.column == 1) cell.box.x1 = 3 * kColumn;
  EXPECT_LT(fill_cells(wide, kArea, page.words, kEm).fit, 0.5);
}

/// What is chosen where the rules found `by_rules` and a net sees `seen` as 3 rows of 2 columns.
std::vector<TableRegion> chosen(const WordPage& page, std::vector<TableRegion> by_rules,
                                const Box& seen, SeenTable read = grid(3, 2),
                                const std::vector<int>& taken = {}) {
  PageInput input;
  input.words = page.words;
  input.width_px = input.height_px = 2000;
  const FoundRegion found{RegionKind::table, seen, 0.9};
  std::vector<bool> of_others(page.lines.size(), false);
  for (const int i : taken) of_others[size_t(i)] = true;
  return choose_tables(std::move(by_rules), std::span(&found, 1), input, page.lines, of_others, {},
                       kEm, [&](const Box&) { return read; });
}

WordPage piers() {
  WordPage page;
  page.row(0, {"Pier", "Depth"});
  page.row(1, {"north", "4.50"});
  page.row(2, {"south", "7.25"});
  return page;
}

TEST(SeenTables, WhereRulesFindNothingTheNetsTableIsTaken) {
  const auto tables = chosen(piers(), {}, {0, 0, 400, 120});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].cells.size(), 6u);
  EXPECT_EQ(tables[0].lines.size(), 6u);
}

TEST(SeenTables, ColumnsOfThePageAreNoTable) {
  constexpr int kRows = 14, kRight = 700;
  WordPage page;
  SeenTable read{kRows, 2, {}, 1, true};
  for (int r = 0; r < kRows; ++r) {
    page.write(10, r * kRow, "the north pier of the old harbour is long");
    page.write(kRight, r * kRow + kRow / 2 - 5, "the south pier of the new harbour is low");
    for (int c = 0; c < 2; ++c)
      read.cells.push_back(
          {r, c, 1, 1, {c * kRight, r * kRow, (c + 1) * kRight - 10, (r + 1) * kRow - 1}});
  }
  EXPECT_TRUE(chosen(page, {}, {0, 0, 1400, kRows * kRow}, read).empty());
}

TEST(SeenTables, LinesOfOthersStayWithThem) {
  WordPage page = piers();
  page.write(10, 3 * kRow + 10, "while");
  const auto tables = chosen(page, {}, {0, 0, 400, 170}, grid(3, 2), {6});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].lines.size(), 6u);
}

TEST(SeenTables, ATableThatTheNetDidNotFinishIsNone) {
  SeenTable cut = grid(3, 2);
  cut.complete = false;
  EXPECT_TRUE(chosen(piers(), {}, {0, 0, 400, 120}, cut).empty());
  cut = grid(3, 2);
  cut.score = 0.5;
  EXPECT_TRUE(chosen(piers(), {}, {0, 0, 400, 120}, cut).empty());
}

TEST(SeenTables, ACaptionIsNoRow) {
  WordPage page = piers();
  page.write(10, 3 * kRow + 10, "Table 4. Depths of the piers at ebb, in metres");
  const auto tables = chosen(page, {}, {0, 0, 600, 170});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].lines.size(), 6u);
}

TEST(SeenTables, PiecesOfATableBecomeOne) {
  std::vector<TableRegion> pieces;
  const WordPage page = piers();
  for (const std::vector<int>& lines : {std::vector<int>{0, 1}, {2, 3, 4, 5}}) {
    TableRegion piece{lines, {}, {}};
    for (int i : lines) piece.box = unite(piece.box, page.lines[size_t(i)].box);
    pieces.push_back(piece);
  }
  EXPECT_EQ(chosen(page, pieces, {0, 0, 400, 120}).size(), 1u);
}

TEST(SeenTables, AWholeTableOfTheRulesIsKeptUnlessTheNetSeesFewerCells) {
  const WordPage page = piers();
  const Box box{10, 10, 360, 110};
  const auto with = [&](int rows, int columns) {
    TableRegion table{{0, 1, 2, 3, 4, 5}, box, grid(rows, columns).cells};
    const auto tables = chosen(page, {table}, {0, 0, 400, 120});
    EXPECT_EQ(tables.size(), 1u);
    return tables[0].cells.size();
  };
  EXPECT_EQ(with(3, 2), 6u);
  TableRegion split{{0, 1, 2, 3, 4, 5}, box, grid(3, 2).cells};
  split.cells[0].box.x1 = 60;
  split.cells.push_back({0, 2, 1, 1, {360, 0, 380, 30}});  // a column without words
  EXPECT_EQ(chosen(page, {split}, {0, 0, 400, 120})[0].cells.size(), 6u);
}

}  // namespace
}  // namespace docspec

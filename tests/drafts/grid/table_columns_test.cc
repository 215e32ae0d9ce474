#include "drafts/grid/table_columns.h"

#include <gtest/gtest.h>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

/// Words as OCR reads letters of one width: 15 pixels each, of which a tenth is white.
std::vector<Word> receipt(const std::vector<std::string>& rows) {
  std::vector<Word> words;
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t at = 0; at < rows[row].size();) {
      const size_t end = std::min(rows[row].find(' ', at), rows[row].size());
      const int y = 40 * int(row), line = int(row) + 1;
      if (end > at)
        words.push_back({.text = rows[row].substr(at, end - at),
                         .box = {15 * int(at) + 1, y, 15 * int(end) - 1, y + 23},
                         .font_size_pt = 12,
                         .line = line});
      at = end + 1;
    }
  return words;
}

TEST(TableColumns, ABlankBetweenLettersOfOneWidthPartsNoCells) {
  const std::vector<Word> words =
      receipt({"FLAT SCREEN WIDE        899.99", "SONY VIAO LAPTOP        689.99",
               "LONG HDMI CABLE         119.99", "APPLE TUNER BOX          89.99",
               "PAPER WHITE SHEETS      129.99", "OFFICE CHAIR GREY       219.99"});
  const TableColumns found = find_columns(group_lines(words, 180), words, 30);
  EXPECT_EQ(found.columns.size(), 2u);
  EXPECT_EQ(found.phrases.size(), 12u);
}

TEST(TableColumns, LinesThatOcrTookForLettersAreNone) {
  const std::vector<Word> words =
      receipt({"Ground         |         Depth", "mud                      6.40",
               "sand                     5.10"});
  const TableColumns found = find_columns(group_lines(words, 180), words, 30);
  EXPECT_EQ(found.columns.size(), 2u);
  EXPECT_EQ(found.phrases.size(), 6u);
}

TEST(TableColumns, AWordWithoutHeightIsInNoColumn) {
  std::vector<Word> words =
      receipt({"Ground                   Depth", "mud                      6.40",
               "sand                     5.10"});
  const std::vector<TextLine> lines = group_lines(words, 180);
  words[0].box = {-90000, 20, -1000, 20};  // OCR of a line on its side: no ink was left in it
  EXPECT_EQ(find_columns(lines, words, 30).columns.size(), 2u);
}

TEST(TableColumns, ABlankOfTypedLettersPartsNoPhrase) {
  const std::vector<Word> words = receipt({"Item 1", "Item 2"});
  for (const PhraseRow& row : phrase_rows({0, 0, 200, 100}, words, 20)) EXPECT_EQ(row.size(), 1u);
}

}  // namespace
}  // namespace docspec

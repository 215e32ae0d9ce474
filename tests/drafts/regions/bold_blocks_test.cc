#include "drafts/regions/bold_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace docspec {
namespace {

/// A page of regions, one below the other, each of lines that begin at its left edge.
struct MadePage {
  std::vector<Region> regions;
  std::vector<TextLine> lines;
  std::vector<int> first;
  std::vector<size_t> rows;
  std::vector<Word> words;
  int y = 0;

  void add(size_t count, const std::string& last_word, bool bold, bool italic) {
    const int top = y += 24;
    first.push_back(int(lines.size()));
    rows.push_back(count);
    for (size_t row = 0; row < count; ++row, y += 24) {
      TextLine line;
      line.box = {100, y, 700, y + 20};
      line.size_px = 20;
      line.chars = 60;
      line.bold = bold, line.italic = italic;
      for (const std::string& text :
           {std::string("Words"), row + 1 == count ? last_word : "more"}) {
        line.words.push_back(int(words.size()));
        words.push_back({text, line.box});
      }
      lines.push_back(line);
    }
    const int n = int(regions.size());
    regions.push_back({n, n, RegionKind::text, {100, top, 700, y - 4}, 1});
  }
  RegionKind settled(size_t i) {
    settle_bold_blocks(regions, lines, first, rows, words);
    return regions[i].kind;
  }
};

/// The kind of a block between paragraphs of plain text.
RegionKind kind_between(size_t rows, const std::string& last_word, bool bold, bool italic) {
  MadePage page;
  page.add(4, "text.", false, false);
  page.add(rows, last_word, bold, italic);
  page.add(4, "text.", false, false);
  return page.settled(1);
}

TEST(BoldBlocks, ASentenceInBoldItalicsAboveAParagraphHeadsIt) {
  EXPECT_EQ(kind_between(1, "limits.", true, true), RegionKind::section_header);
  EXPECT_EQ(kind_between(2, "limits.", true, true), RegionKind::section_header);
  EXPECT_EQ(kind_between(4, "limits.", true, true), RegionKind::text) << "a paragraph";
  EXPECT_EQ(kind_between(1, "limits:", true, true), RegionKind::text) << "goes on";
  EXPECT_EQ(kind_between(1, "limits.", true, false), RegionKind::text) << "bold alone";
  MadePage last;
  last.add(4, "text.", false, false);
  last.add(1, "limits.", true, true);
  EXPECT_EQ(last.settled(1), RegionKind::text) << "above nothing";
}

TEST(BoldBlocks, ALabelAndItsValueBelowABoldParagraphHeadNothing) {
  for (const size_t rows : {size_t(5), size_t(2)}) {
    MadePage page;
    page.add(rows, "text.", true, false);
    page.add(1, "tides", true, false);
    page.words[page.words.size() - 2].text = "Words:";
    page.regions[1].kind = RegionKind::section_header;
    EXPECT_EQ(page.settled(1), rows == 5 ? RegionKind::text : RegionKind::section_header);
  }
}

}  // namespace
}  // namespace docspec

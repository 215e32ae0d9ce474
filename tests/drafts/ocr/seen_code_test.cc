#include "drafts/ocr/seen_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// Lines of words below each other, each letter as wide as `width_of` says.
struct SeenPage {
  std::vector<Word> words;
  std::vector<size_t> lengths;
};

template <typename WidthOf>
SeenPage seen(const std::vector<std::string>& lines, WidthOf width_of) {
  SeenPage page;
  for (size_t row = 0; row < lines.size(); ++row) {
    int x = 20;
    size_t count = 0;
    const int y = 20 + 24 * int(row);
    for (size_t from = 0; from < lines[row].size();) {
      const size_t to = std::min(lines[row].find(' ', from), lines[row].size());
      const int start = x;
      for (size_t i = from; i < to; ++i) x += width_of(lines[row][i]);
      if (to > from)
        page.words.push_back({lines[row].substr(from, to - from), {start + 1, y, x - 1, y + 16}}),
            ++count;
      x += width_of(' ');
      from = to + 1;
    }
    page.lengths.push_back(count);
  }
  return page;
}

size_t named(SeenPage page) {
  name_seen_code(page.words, page.lengths);
  return size_t(std::count_if(page.words.begin(), page.words.end(),
                              [](const Word& word) { return word.font == kSeenMono; }));
}

const std::vector<std::string> kListing = {
    "def largest_word(lines, wanted=None):", "  for line in lines.filter(wanted):",
    "    if line.width >= limit[0]:", "      return line.words[-1]  # a comment"};

int of_one_width(char) {
  return 10;
}

int of_its_own_width(char c) {
  return std::string("iljtfr.,:;'|!()[] ").find(c) != std::string::npos ? 6 : 11;
}

TEST(NameSeenCode, KnowsCodeByItsWidthsAndSigns) {
  SeenPage page = seen(kListing, of_one_width);
  EXPECT_EQ(named(page), page.words.size());
  EXPECT_EQ(named(seen(kListing, of_its_own_width)), 0u) << "another font";
}

TEST(NameSeenCode, KnowsCodeWithoutWideLettersByItsStatements) {
  const std::vector<std::string> listing = {
      "function f(x) {", "  let y;", "  if (x == 0) {",          "  } else {",
      "  return y;",     "}",        "print(f(5), first, list);"};
  EXPECT_GT(named(seen(listing, [](char) { return 10; })), 12u);
}

TEST(NameSeenCode, LeavesWhatATypewriterWrote) {
  EXPECT_EQ(
      named(
          seen({"The parties agree that the sum of the", "rent will be paid to the landlord on",
                "the first day of every month (in full)", "and that it may be raised once a year."},
               of_one_width)),
      0u);
}

TEST(NameSeenCode, TakesALineThatWasMisreadAmongOthers) {
  SeenPage page = seen(kListing, of_one_width);
  for (Word& word : page.words)
    if (word.text == "line.width") word.text = "linewd";
  EXPECT_EQ(named(page), page.words.size());
}

TEST(NameSeenCode, LeavesProseBesideCode) {
  SeenPage page = seen(kListing, of_one_width);
  const size_t code = page.words.size();
  SeenPage prose =
      seen({"which prints the largest of all the words", "that are on the last line of a page."},
           of_its_own_width);
  for (Word& word : prose.words)
    word.box = {word.box.x0, word.box.y0 + 200, word.box.x1, word.box.y1 + 200};
  page.words.insert(page.words.end(), prose.words.begin(), prose.words.end());
  page.lengths.insert(page.lengths.end(), prose.lengths.begin(), prose.lengths.end());
  EXPECT_EQ(named(page), code);
}

TEST(NameSeenCode, MoreProseThanCodeDoesNotHideItsPitch) {
  SeenPage page = seen(kListing, [](char) { return 12; });
  const size_t code = page.words.size();
  for (int row = 0; row < 30; ++row) {  // far below, in letters of its own width
    SeenPage prose = seen({"most of the letters (those of prose) make others"}, of_its_own_width);
    for (Word& word : prose.words) {
      word.box.y0 += 400 + 24 * row;
      word.box.y1 += 400 + 24 * row;
    }
    page.lengths.push_back(prose.words.size());
    page.words.insert(page.words.end(), prose.words.begin(), prose.words.end());
  }
  EXPECT_EQ(named(page), code);
}

TEST(NameSeenCode, ALineOfShortWordsAndSignsBelongsToTheCodeAboveIt) {
  std::vector<std::string> listing = kListing;
  listing.push_back("  for (k = 0; k <= z; k++)");
  SeenPage page = seen(listing, of_one_width);
  for (Word& word : page.words)
    if (word.text == "k++)") word.box.x1 -= 6;  // OCR saw it too narrow
  EXPECT_EQ(named(page), page.words.size());
}

TEST(NameSeenCode, ANameHasTheUnderscoresThatItHasElsewhere) {
  SeenPage page = seen(
      {"int number_of_parts = 0, left-1;", "int allocate_all(int wanted) {", "  ++number_of-parts;",
       "  return left-right(wanted);", "}", "int left = right = left_right;"},
      of_one_width);
  ASSERT_EQ(named(page), page.words.size());
  name_seen_code(page.words, page.lengths);
  const auto has = [&](const std::string& text) {
    return std::any_of(page.words.begin(), page.words.end(),
                       [&](const Word& word) { return word.text == text; });
  };
  EXPECT_TRUE(has("++number_of_parts;"));
  EXPECT_TRUE(has("left-right(wanted);")) << "a difference of two names";
}

}  // namespace
}  // namespace docspec

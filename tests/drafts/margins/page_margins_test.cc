#include "drafts/margins/page_margins.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// A scan of 800 pixels with lines of 400, and right of them short ones that begin at `x` and reach
/// the edge; the place of the first of these.
Place place_beside(const std::vector<std::string>& cut_off, int x) {
  std::vector<Word> words;
  std::vector<TextLine> lines;
  const auto add = [&](const std::string& text, const Box& box) {
    TextLine line;
    line.words = {int(words.size())};
    line.box = box;
    line.size_px = 16;
    line.chars = text.size();
    line.rough_size = true;
    words.push_back({text, box});
    lines.push_back(line);
  };
  for (int row = 0; row < 20; ++row)
    add("aLineOfTheTextOfThisPage", {100, 100 + 24 * row, 500, 120 + 24 * row});
  for (int row = 0; row < int(cut_off.size()); ++row)
    add(cut_off[size_t(row)], {x, 160 + 24 * row, 799, 180 + 24 * row});
  PageInput page{1, 800, 1000, 100, nullptr, {}, {}, {}};
  page.words = words;
  return margin_places(page, lines, {}, 16)[20];
}

TEST(MarginPlaces, LettersOfTheNextPageAtTheEdgeOfAScanAreNoText) {
  const std::vector<std::string> letters = {"co", "fo", "the", "ma", "Rc", "cu"};
  EXPECT_EQ(place_beside(letters, 770), Place::header);
  EXPECT_EQ(place_beside({letters.begin(), letters.begin() + 4}, 770), Place::body) << "too few";
  EXPECT_EQ(place_beside(letters, 700), Place::body) << "whole words";
  EXPECT_EQ(place_beside({"1", "7", "12", "4", "9", "3"}, 770), Place::body) << "a column";
}

}  // namespace
}  // namespace docspec

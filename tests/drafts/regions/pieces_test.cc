#include "drafts/regions/pieces.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// Two columns of two pieces each, read in a page of these words.
std::vector<int> order_of_columns(const std::string& text) {
  std::vector<Piece> pieces(4);
  for (int i = 0; i < 4; ++i) {
    const int x = i < 2 ? 0 : 600, y = 400 * (i % 2);
    pieces[size_t(i)].box = {x, y, x + 500, y + 380};
  }
  const std::vector<Word> words(3, Word{text, {0, 0, 100, 20}});
  return order_pieces(pieces, {}, 20, 0, words);
}

TEST(Pieces, ColumnsBeginAtTheSideWhereTheScriptDoes) {
  EXPECT_EQ(order_of_columns("word"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(order_of_columns("\u0633\u0644\u0627\u0645"), (std::vector<int>{2, 3, 0, 1}));
}

}  // namespace
}  // namespace docspec

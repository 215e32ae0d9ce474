#include "core/decode/prune/layout_prior.h"

#include <gtest/gtest.h>

#include "core/base/json_file.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

const Tokenizer& tokenizer() {
  static const Tokenizer mini(read_file(DOCSPEC_SOURCE_DIR "/share/models/mini/tokenizer.json"));
  return mini;
}

Word word(const std::string& text, const Box& box) {
  Word out;
  out.text = text;
  out.box = box;
  return out;
}

TEST(TokenBoxes, AreThoseOfTheWordsThatTheTokensSpell) {
  const Box rope{10, 0, 40, 10}, maker{45, 0, 80, 10}, bay{10, 20, 30, 30};
  const std::vector<Word> words = {word("rope", rope), word("maker", maker),
                                   word("missing", {0, 0, 1, 1}), word("bay", bay)};
  const auto ids = tokenizer().encode("<b>rope</b> maker\n- bay", false);
  const std::vector<Box> boxes = token_boxes(ids, words, tokenizer());
  ASSERT_EQ(boxes.size(), ids.size());
  std::string by_rope, by_maker, by_bay, by_none;
  for (size_t i = 0; i < ids.size(); ++i) {
    std::string& to = boxes[i] == rope    ? by_rope
                      : boxes[i] == maker ? by_maker
                      : boxes[i] == bay   ? by_bay
                                          : by_none;
    to += tokenizer().bytes_of(ids[i]);
  }
  EXPECT_NE(by_rope.find("rope"), std::string::npos);
  EXPECT_NE(by_maker.find("maker"), std::string::npos);
  EXPECT_NE(by_bay.find("bay"), std::string::npos);
  EXPECT_EQ(by_none.find("rope"), std::string::npos);
}

/// Two columns of a page, a word a cell of 10 x 10 pixels.
class Prior : public ::testing::Test {
 protected:
  Prior() {
    const std::string texts[] = {"alpha bravo charlie delta", "kilo lima mike november"};
    std::vector<DraftTokens> drafts;
    std::vector<std::vector<Box>> boxes;
    for (int column = 0; column < 2; ++column) {
      drafts.push_back({"tesseract", tokenizer().encode(texts[column], false)});
      std::vector<Word> words;
      std::istringstream in(texts[column]);
      std::string text;
      for (int line = 0; in >> text; ++line) {
        const int x = 100 * column, y = 40 * line;
        words.push_back(word(text, {x + 10, y + 10, x + 20, y + 20}));
      }
      boxes.push_back(token_boxes(drafts.back().ids, words, tokenizer()));
    }
    prior_ = std::make_unique<LayoutPrior>(std::make_shared<DraftAligner>(drafts, &tokenizer()),
                                           boxes, VisualGrid{{0, 0, 200, 160}, 16, 20});
  }
  /// Whether the prior, behind `output`, sees the cell at these pixels.
  bool sees(const std::string& output, int x, int y) const {
    const std::vector<int32_t> rows = prior_->rows_after(tokenizer().encode(output, false));
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    return std::binary_search(rows.begin(), rows.end(), int32_t(y / 10 * 20 + x / 10));
  }
  std::unique_ptr<LayoutPrior> prior_;
};

TEST_F(Prior, BeforeTheFirstWordSeesWhereDraftsBegin) {
  EXPECT_TRUE(sees("", 10, 10));
  EXPECT_TRUE(sees("", 110, 10)) << "which of the columns comes first is open";
}

TEST_F(Prior, SeesTheNextWordsWithAMargin) {
  EXPECT_TRUE(sees("alpha bravo", 10, 90)) << "charlie";
  EXPECT_TRUE(sees("alpha bravo", 20, 100)) << "the cell beside it";
  EXPECT_FALSE(sees("alpha bravo", 110, 90)) << "the other column";
}

TEST_F(Prior, JumpsToTheNextRegionWhereOneEnds) {
  EXPECT_TRUE(sees("alpha bravo charlie delta", 110, 10)) << "kilo";
}

}  // namespace
}  // namespace docspec

#include "drafts/ocr/stacks.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// Signs of 12 by 20 pixels, the first at (60, 40), `white` pixels between them.
PageImage stack(int signs, int white) {
  PageImage image(1, 400, 400, 150);
  for (int k = 0; k < signs; ++k)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 12; ++x)
        for (int c = 0; c < 3; ++c) image.row(40 + k * (20 + white) + y)[3 * (60 + x) + c] = 0;
  return image;
}

TEST(Stacks, SignsOneBelowTheOtherBesideRowsOfATable) {
  const Box tall{54, 34, 78, 220};
  std::vector<Box> rows;
  for (int k = 0; k < 5; ++k) rows.push_back({120, 38 + 34 * k, 260, 62 + 34 * k});
  const std::vector<Box> signs = signs_of_stack(stack(5, 14), tall, rows);
  ASSERT_EQ(signs.size(), 5u);
  EXPECT_EQ(signs[1], (Box{60, 74, 72, 94}));
  EXPECT_TRUE(signs_of_stack(stack(5, 14), tall, {}).empty()) << "nothing stands beside it";
}

TEST(Stacks, LettersThatStandCloseRunDownwards) {
  std::vector<Box> rows;
  for (int k = 0; k < 5; ++k) rows.push_back({120, 38 + 24 * k, 260, 58 + 24 * k});
  EXPECT_TRUE(signs_of_stack(stack(5, 4), {54, 34, 78, 164}, rows).empty());
}

}  // namespace
}  // namespace docspec

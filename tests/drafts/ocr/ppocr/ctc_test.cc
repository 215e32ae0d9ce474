#include "drafts/ocr/ppocr/ctc.h"

#include <gtest/gtest.h>

namespace docspec::ppocr {
namespace {

TEST(Ctc, RepeatedClassesAreOneCharacterAndABlankPartsTwo) {
  const std::vector<StepChoice> steps = {{0, 1},  {1, .9}, {1, .8}, {0, 1},
                                         {1, .7}, {2, .6}, {2, .5}};
  const auto read = decode_ctc(steps);
  ASSERT_EQ(read.size(), 3u);
  const int codes[] = {1, 1, 2}, first[] = {1, 4, 5}, last[] = {2, 4, 6};
  const double confidence[] = {.9, .7, .6};
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].code, codes[i]);
    EXPECT_EQ(read[i].first_step, first[i]);
    EXPECT_EQ(read[i].last_step, last[i]);
    EXPECT_EQ(read[i].confidence, confidence[i]);
  }
}

}  // namespace
}  // namespace docspec::ppocr

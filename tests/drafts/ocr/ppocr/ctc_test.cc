#include "drafts/ocr/ppocr/ctc.h"

#include <gtest/gtest.h>

#include <cmath>

namespace docspec::ppocr {
namespace {

TEST(Ctc, RepeatedClassesAreOneCharacterAndABlankPartsTwo) {
  constexpr int kClasses = 3;
  const int best[] = {0, 1, 1, 0, 1, 2, 2};
  std::vector<float> logits;
  for (const int code : best)
    for (int c = 0; c < kClasses; ++c) logits.push_back(c == code ? 2 : 0);
  const auto read = decode_ctc(logits.data(), std::size(best), kClasses);
  ASSERT_EQ(read.size(), 3u);
  const int codes[] = {1, 1, 2}, first[] = {1, 4, 5}, last[] = {2, 4, 6};
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].code, codes[i]);
    EXPECT_EQ(read[i].first_step, first[i]);
    EXPECT_EQ(read[i].last_step, last[i]);
    EXPECT_NEAR(read[i].confidence, std::exp(2) / (std::exp(2) + 2), 1e-6);
  }
}

}  // namespace
}  // namespace docspec::ppocr

#include "core/page/text_size.h"

#include <gtest/gtest.h>

#include <vector>

namespace docspec {
namespace {

Draft draft_of(std::vector<std::pair<std::string, int>> words) {
  Draft draft;
  for (const auto& [text, width_px] : words) draft.words.push_back({text, {0, 0, width_px, 20}});
  return draft;
}

double em_px(const std::vector<Draft>& drafts) {
  std::vector<const Draft*> all;
  for (const Draft& draft : drafts) all.push_back(&draft);
  return text_em_px(all);
}

TEST(TextSize, AnEmIsTwoLettersOfTheMiddleWord) {
  const double em =
      em_px({draft_of({{"four", 40}, {"sixsix", 60}}), draft_of({{"eight888", 240}})});
  EXPECT_NEAR(em, 20, 1);
  EXPECT_NEAR(em_px({draft_of({{"fünf", 40}})}), em, 1e-9) << "letters, not bytes";
  EXPECT_NEAR(em_px({draft_of({{"状态方程", 80}})}), em, 1e-9) << "a Chinese character is an em";
}

TEST(TextSize, ShortWordsSayNothing) {
  EXPECT_EQ(em_px({}), 0);
  EXPECT_EQ(em_px({draft_of({{"a", 90}, {"the", 90}, {"longer", 0}})}), 0);
}

TEST(TextSize, TheScaleBringsLettersToTheirSizeWithinLimits) {
  for (const double em : {15.0, 22.0, 40.0}) EXPECT_DOUBLE_EQ(em * text_scale(em, 24), 24);
  EXPECT_EQ(text_scale(1000, 24), .25);
  EXPECT_EQ(text_scale(1, 24), 2);
  EXPECT_EQ(text_scale(0, 24), 1);
  EXPECT_EQ(text_scale(24, 0), 1);
}

}  // namespace
}  // namespace docspec

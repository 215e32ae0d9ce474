// Words under a patch, as censored documents have them.
#include "core/page/covered_words.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

void paint(PageImage& page, const Box& box, uint8_t light) {
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = 3 * box.x0; x < 3 * box.x1; ++x) page.row(y)[x] = light;
}

/// A white page with three words on one line: under a patch but for the full stop at its end, on a
/// dark panel that is higher than a line, and printed.
TEST(CoveredWords, AreThoseUnderAPatchAsHighAsALine) {
  PageImage page(1, 400, 200, 72);
  paint(page, {0, 0, 400, 200}, 255);
  paint(page, {20, 98, 70, 112}, 0);
  paint(page, {120, 20, 220, 180}, 0);
  paint(page, {260, 102, 290, 108}, 0);
  std::vector<Word> words = {{"secret.", {22, 100, 75, 110}},
                             {"panel", {140, 100, 180, 110}},
                             {"seen", {255, 100, 295, 110}}};
  censor_covered(words, page, 1);
  std::vector<std::string> texts;
  for (const Word& word : words) texts.push_back(word.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"\u2588", "panel", "seen"}));
}

/// Words on white, of which the last one is printed.
TEST(CoveredWords, WordsWithoutATraceAreDropped) {
  PageImage page(1, 400, 200, 72);
  paint(page, {0, 0, 400, 200}, 255);
  paint(page, {62, 102, 75, 108}, 0);
  const auto left = [&](std::vector<Word> words) {
    drop_unseen(words, page, 1);
    std::string texts;
    for (const Word& word : words) texts += word.text + " ";
    return texts;
  };
  const Word seen{"seen", {60, 100, 80, 110}}, unseen{"white", {200, 100, 240, 110}};
  EXPECT_EQ(left({seen, seen, seen, unseen}), "seen seen seen ");
  EXPECT_EQ(left({seen, unseen}), "seen white ") << "the page may be at fault";
  EXPECT_EQ(left({seen, seen, seen, {"....", {200, 100, 240, 110}}}), "seen seen seen .... ");
}

}  // namespace
}  // namespace docspec

#include "drafts/ocr/line_regularity.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// Four lines of four words whose feet stand `jitter` pixels above and below a leaning base line.
std::vector<Word> lines(int jitter) {
  std::vector<Word> words;
  for (int line = 0; line < 4; ++line)
    for (int i = 0; i < 4; ++i) {
      const int foot = 100 + 60 * line + 5 * i + ((i + line) % 2 ? jitter : -jitter);
      words.push_back({"world", {100 * i, foot - 20, 100 * i + 80, foot}});
    }
  return words;
}

TEST(LineRegularity, PrintStandsOnItsLineAlsoWhereItLeans) {
  const size_t lengths[] = {4, 4, 4, 4};
  EXPECT_LT(baseline_jitter(lines(0), lengths), 0.001);
  EXPECT_GT(baseline_jitter(lines(2), lengths), 0.05);
}

TEST(LineRegularity, LinesOfBentPaperBendAlike) {
  const size_t lengths[] = {8, 8, 8, 8, 8};
  const auto bent = [](const std::vector<int>& jitter) {
    std::vector<Word> words;
    for (int line = 0; line < 5; ++line)
      for (int i = 0; i < 8; ++i) {
        const int foot = 100 + 40 * line + i * i + jitter[size_t(3 * line + i) % jitter.size()];
        words.push_back({"world", {100 * i, foot - 20, 100 * i + 80, foot}});
      }
    return words;
  };
  EXPECT_LT(baseline_jitter(bent({0}), lengths), kEvenLines);
  EXPECT_GT(baseline_jitter(bent({0, 7, -5, 2, 6, -8, 1}), lengths), kEvenLines);
}

TEST(LineRegularity, OnePixelOfASmallLetterIsTheRounding) {
  const size_t lengths[] = {4, 4, 4, 4};
  std::vector<Word> words = lines(0);
  for (Word& word : words) word.box.y0 = word.box.y1 - 14;
  for (size_t i = 1; i < words.size(); i += 4) ++words[i].box.y1;
  EXPECT_EQ(baseline_jitter(words, lengths), 0);
}

TEST(LineRegularity, FewLinesSayNothing) {
  const size_t lengths[] = {4, 4, 4};
  EXPECT_EQ(baseline_jitter(lines(2), lengths), 0);
}

TEST(LineRegularity, WordsThatMayReachBelowTheLineSayNothing) {
  std::vector<Word> words = lines(0);
  for (int i : {1, 6, 9, 12}) {
    words[size_t(i)].text = i == 1 ? "page" : i == 6 ? "1736" : "of";
    words[size_t(i)].box.y1 += 7;
  }
  const size_t lengths[] = {4, 4, 4, 4};
  EXPECT_LT(baseline_jitter(words, lengths), 0.001);
}

/// Lines of one column, whose slopes change by `turn` to and fro, and by `drift`.
std::vector<ppocr::LineBox> sloping(int count, double turn, double drift = 0) {
  std::vector<ppocr::LineBox> out;
  for (int i = 0; i < count; ++i)
    out.push_back({600, 100.0 + 60 * i, 1000, 40, drift * i + (i % 2 ? turn : 0), 1});
  return out;
}

TEST(LineRegularity, LinesOfPrintAreParallelAlsoWherePaperBends) {
  EXPECT_LT(slope_jitter(sloping(8, 0, 0.002)), 0.06);
  EXPECT_GT(slope_jitter(sloping(8, 0.01)), 0.2);
  EXPECT_EQ(slope_jitter(sloping(4, 0.01)), 0) << "too few";
  std::vector<ppocr::LineBox> pages = sloping(8, 0);
  for (ppocr::LineBox line : sloping(8, 0)) {
    line.x += 1200, line.y += 30, line.angle = 0.02;  // the page beside it
    pages.push_back(line);
  }
  EXPECT_LT(slope_jitter(pages), 0.06);
}

}  // namespace
}  // namespace docspec

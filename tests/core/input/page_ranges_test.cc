#include "core/input/page_ranges.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace docspec {
namespace {

using Pages = std::vector<int>;

TEST(PageRanges, ChoosesSinglePagesRangesAndOpenEnds) {
  EXPECT_EQ(PageRanges("1-4,7,10-").pages(12), (Pages{1, 2, 3, 4, 7, 10, 11, 12}));
  EXPECT_EQ(PageRanges("3,1,2-3").pages(5), (Pages{1, 2, 3}));
  EXPECT_EQ(PageRanges("-2").pages(5), (Pages{1, 2}));
  EXPECT_EQ(PageRanges().pages(3), (Pages{1, 2, 3}));
}

TEST(PageRanges, IsCutToTheDocument) {
  EXPECT_EQ(PageRanges("2-9").pages(3), (Pages{2, 3}));
  EXPECT_TRUE(PageRanges("9-").pages(3).empty());
  EXPECT_EQ(PageRanges("1-2000000000").pages(2), (Pages{1, 2}));
}

TEST(PageRanges, TellsWhatLiesBeyondTheEnd) {
  EXPECT_TRUE(PageRanges("2-9").beyond(3));
  EXPECT_TRUE(PageRanges("4-").beyond(3));
  EXPECT_FALSE(PageRanges("2-").beyond(3));
  EXPECT_FALSE(PageRanges("1-3").beyond(3));
}

TEST(PageRanges, RefusesWhatIsNoRange) {
  for (const char* text : {"", "0", "a", "3-1", "1,,2", "1-2-3", "-", "1;2", "99999999999"}) {
    try {
      PageRanges ranges{text};
      FAIL() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::usage) << text;
      EXPECT_NE(std::string(e.what()).find("--pages"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace docspec

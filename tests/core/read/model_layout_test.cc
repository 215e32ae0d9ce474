#include "core/read/model_layout.h"

#include <gtest/gtest.h>

#include <string>

namespace docspec {
namespace {

std::string element(const std::string& box, const std::string& type) {
  return "<|box_start|>" + box + "<|box_end|><|ref_start|>" + type + "<|ref_end|><|rotate_up|>\n";
}

TEST(ModelLayout, ReadsThePublishedForm) {
  const auto regions =
      regions_of_layout(element("100 050 900 080", "title") + element("100 100 900 400", "text") +
                            element("100 500 900 700", "table") + element("0 0 10 10", "image"),
                        2000, 1000);
  ASSERT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions[0].kind, RegionKind::section_header);
  EXPECT_EQ(regions[0].box, (Box{200, 50, 1800, 80}));
  EXPECT_EQ(regions[2].kind, RegionKind::table);
  EXPECT_EQ(regions[3].kind, RegionKind::picture);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(regions[size_t(i)].id, i);
}

TEST(ModelLayout, LeavesOutWhatIsNoRegion) {
  const std::string good = element("1 2 3 4", "text");
  for (const std::string& bad :
       {element("1 2 3", "text"), element("1 2 3 4000", "text"), element("5 2 5 4", "text"),
        element("1 2 3 4", "list"), element("1 2 3 4", "inline_formula"), element("", "text"),
        std::string("<|box_start|>1 2 3 4<|box_end|>"), std::string("<|box_start|>"),
        std::string("words ")}) {
    EXPECT_EQ(regions_of_layout(bad + good, 1000, 1000).size(), 1u) << bad;
    EXPECT_EQ(regions_of_layout(good + bad, 1000, 1000).size(), 1u) << bad;
  }
  const std::string page = good + good;
  for (size_t cut = 0; cut < page.size(); ++cut)
    EXPECT_LE(regions_of_layout(page.substr(0, cut), 1000, 1000).size(), 2u);
}

TEST(ModelLayout, EachWordOfEachDraftGoesToTheRegionItStandsIn) {
  PageDrafts page;
  page.regions = {{0, 0, RegionKind::text, {0, 0, 100, 100}}};
  for (const char* source : {"text-layer", "tesseract"})
    page.drafts.push_back(
        {0,
         source,
         "above left below",
         0.5,
         {{"above", {0, 0, 20, 10}}, {"left", {22, 0, 40, 10}}, {"below", {0, 60, 20, 70}}}});
  const PageDrafts out = with_regions(page, {{0, 0, RegionKind::title, {0, 0, 100, 30}},
                                             {1, 1, RegionKind::text, {0, 50, 100, 100}},
                                             {2, 2, RegionKind::text, {200, 50, 300, 100}}});
  ASSERT_EQ(out.regions.size(), 3u);
  ASSERT_EQ(out.drafts.size(), 4u);
  for (const Draft& draft : out.drafts) {
    EXPECT_EQ(draft.text, draft.region == 0 ? "above left" : "below");
    EXPECT_EQ(draft.confidence, 0.5);
  }
}

}  // namespace
}  // namespace docspec

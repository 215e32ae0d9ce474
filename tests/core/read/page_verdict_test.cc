#include "core/read/page_verdict.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace docspec {
namespace {

TEST(PageVerdict, AParagraphThatThePageHasTwiceHasTwoPlaces) {
  const std::string twice = "Lorem ipsum dolor sit amet and what else printers write",
                    other = "a listing of code stands between both of them";
  PageDrafts known;
  known.dpi = 72;
  std::vector<Block> blocks;
  for (const std::string& text : {twice, other, twice}) {
    const int id = int(known.regions.size());
    known.regions.push_back({id, id, RegionKind::text, {50, 100 * id, 400, 100 * id + 60}});
    known.drafts.push_back({id, "text-layer", text, 1, {}});
    Block block;
    block.text = text;
    blocks.push_back(block);
  }
  take_places(known, blocks);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(blocks[size_t(i)].box_pt.y0, 100 * i);
    EXPECT_EQ(blocks[size_t(i)].box_pt.y1, 100 * i + 60);
  }
}

}  // namespace
}  // namespace docspec

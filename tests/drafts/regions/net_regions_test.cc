// What a net sees of headings and footers on a scan.
#include "drafts/regions/net_regions.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

constexpr Box kLine{100, 200, 400, 230};

RegionKind kind_of_heading(const FoundRegion& region, double size = 1) {
  return kind_by_sight(RegionKind::section_header, {region}, kLine, size);
}

TEST(NetRegions, AHeadingThatIsSeenAsSomethingElseIsNone) {
  EXPECT_EQ(kind_of_heading({RegionKind::caption, {98, 198, 405, 232}, 0.8}), RegionKind::caption);
  EXPECT_EQ(kind_of_heading({RegionKind::picture, {50, 100, 900, 800}, 0.8}), RegionKind::text);
  EXPECT_EQ(kind_of_heading({RegionKind::text, {100, 180, 900, 600}, 0.9}), RegionKind::text);
}

TEST(NetRegions, AHeadingStaysWhereTheNetIsNotSure) {
  const auto heading = RegionKind::section_header;
  EXPECT_EQ(kind_of_heading({RegionKind::caption, {98, 198, 405, 232}, 0.5}), heading);
  EXPECT_EQ(kind_of_heading({RegionKind::text, {100, 180, 900, 600}, 0.9}, 1.4), heading)
      << "large";
  EXPECT_EQ(kind_of_heading({RegionKind::picture, {50, 100, 900, 800}, 0.9}, 4), heading)
      << "a title on a picture";
  const std::vector<FoundRegion> both = {{RegionKind::picture, {50, 100, 900, 800}, 0.9},
                                         {RegionKind::section_header, {98, 198, 405, 232}, 0.4}};
  EXPECT_EQ(kind_by_sight(heading, both, kLine, 1), heading);
  EXPECT_EQ(kind_by_sight(RegionKind::list_item, both, kLine, 1), RegionKind::list_item);
}

TEST(NetRegions, FootersAreSeenAtTheFootAlone) {
  std::vector<TextLine> lines(2);
  lines[0].box = {300, 100, 400, 120};
  lines[1].box = {300, 1500, 400, 1520};
  const std::vector<FoundRegion> seen = {{RegionKind::page_footer, {298, 98, 402, 122}, 0.9},
                                         {RegionKind::page_footer, {298, 1498, 402, 1522}, 0.9}};
  std::vector<Place> places(2, Place::body);
  add_seen_footers(places, seen, lines, 1600);
  EXPECT_EQ(places[0], Place::body);
  EXPECT_EQ(places[1], Place::footer);
}

}  // namespace
}  // namespace docspec

// What a net sees of headings and footers on a scan.
#include "drafts/regions/net_regions.h"

#include <gtest/gtest.h>

#include "drafts/lines/font_style.h"

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
  const auto place = [](const std::string& text, int y) {
    const std::vector<Word> words = {{text, {300, y, 400, y + 20}}};
    std::vector<TextLine> lines(1);
    lines[0].box = words[0].box;
    lines[0].words = {0};
    PageInput page{1, 1200, 1600, 144, nullptr, {}, {}, {}};
    page.words = words;
    std::vector<Place> places(1, Place::body);
    add_seen_footers(places, {{RegionKind::page_footer, {298, y - 2, 402, y + 22}, 0.9}}, lines,
                     page);
    return places[0];
  };
  EXPECT_EQ(place("·106·", 1400), Place::footer);
  EXPECT_EQ(place("106", 100), Place::body);
  EXPECT_EQ(place("set.", 1450), Place::body) << "the last line of the text";
  EXPECT_EQ(place("Report", 1540), Place::footer);
}

Word word(const char* text, Box box, int line) {
  Word out{text, box};
  out.line = line;
  return out;
}

TEST(FormulasOfANet, HoldTheirWordsAndTheirNumber) {
  const std::vector<Word> words = {word("[x+y]", {190, 200, 300, 230}, 1),
                                   word("(4)", {700, 202, 740, 228}, 2)};
  const std::vector<FoundRegion> seen = {{RegionKind::formula, {200, 195, 310, 235}, 0.9}};
  EXPECT_EQ(find_seen_formulas(seen, words), (std::vector<Box>{{190, 195, 740, 235}}));
}

TEST(FormulasOfANet, AreNoProseAndNoHeadings) {
  const Box line{200, 200, 600, 230};
  const std::vector<FoundRegion> seen = {{RegionKind::formula, {200, 195, 610, 285}, 0.9}};
  std::vector<Word> words = {word("a=b", line, 1), word("where", {200, 250, 280, 280}, 2),
                             word("nothing", {290, 250, 400, 280}, 2),
                             word("holds", {410, 250, 500, 280}, 2)};
  EXPECT_EQ(find_seen_formulas(seen, words), (std::vector<Box>{{200, 195, 610, 250}}));
  words = {word("a=b", line, 1)};
  words[0].font = kSeenMono;
  EXPECT_TRUE(find_seen_formulas(seen, words).empty()) << "code";
  words = {word("dadas", line, 1), word("matrices", line, 1), word("está", line, 1),
           word("que", line, 1), word("(AB)=B+A", line, 1)};
  EXPECT_TRUE(find_seen_formulas(seen, words).empty());
  words = {word("其中为状态", line, 1)};
  EXPECT_TRUE(find_seen_formulas(seen, words).empty());
  words = {word("1.", {200, 200, 220, 230}, 1), word("RESULTS", {230, 200, 400, 230}, 1)};
  EXPECT_TRUE(find_seen_formulas(seen, words).empty());
  EXPECT_TRUE(find_seen_formulas({{RegionKind::formula, line, 0.3}}, {}).empty()) << "unsure";
}

}  // namespace
}  // namespace docspec

// Pages of OCR's words, which have no fonts, beside what is drawn on the image.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/regions/line_layout.h"

namespace docspec {
namespace {

struct SeenPage {
  PageImage image{1, 1200, 1600, 144};
  std::vector<Word> words;
  int lines = 0;

  /// `right`: of the text's end; else of its beginning.
  void write(int x, int y, const std::string& text, bool right = false) {
    constexpr int kLetter = 10;
    if (right) x -= kLetter * int(count_code_points(text));
    ++lines;
    std::istringstream parts(text);
    for (std::string part; parts >> part;) {
      const int width = kLetter * int(count_code_points(part));
      Word word{part, {x, y, x + width, y + 14}, 1, 10};
      word.line = lines;
      words.push_back(word);
      x += width + kLetter / 2;
    }
  }

  void rule(int x0, int x1, int y) {
    for (int row = y; row < y + 2; ++row)
      for (int x = x0; x < x1; ++x)
        for (int c = 0; c < 3; ++c) image.row(row)[3 * x + c] = 0;
  }

  std::vector<Region> regions() {
    PageInput page;
    page.page = 1;
    page.image = &image;
    page.width_px = image.width_px(), page.height_px = image.height_px();
    page.dpi = 144;
    page.words = words;
    return make_line_layout({})->detect(page);
  }
};

TEST(SeenPage, ARuleBelowEachHeadMakesColumns) {
  SeenPage page;
  for (const auto& [right, year] : {std::pair(700, "2024"), {860, "2023"}, {1020, "2022"}}) {
    page.write(right - 40, 200, year, true);
    page.rule(right - 120, right, 222);
  }
  const std::vector<std::string> labels = {"Sales of cars", "Leasing", "Services and other",
                                           "Net income"};
  for (int row = 0; row < int(labels.size()); ++row) {
    const int y = 240 + 34 * row;
    page.write(100, y, labels[size_t(row)]);
    for (const int right : {700, 860, 1020}) {
      if (row == 0) page.write(right - 120, y, "$");
      page.write(right - 4, y, std::to_string(18 + row) + ",831", true);
    }
  }
  const std::vector<Region> regions = page.regions();
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].kind, RegionKind::table);
  const auto& cells = regions[0].cells;
  ASSERT_FALSE(cells.empty());
  const auto columns =
      std::max_element(cells.begin(), cells.end(),
                       [](const auto& a, const auto& b) { return a.column < b.column; })
          ->column +
      1;
  EXPECT_EQ(columns, 4) << "a sign of money has no column of its own";
}

/// A page of prose with slanted strokes of one shade over a short line.
std::vector<Region> with_strokes(uint8_t shade) {
  SeenPage page;
  for (int row = 0; row < 12; ++row)
    page.write(100, 100 + 24 * row, "these are the words of a long line of the text of a page");
  page.write(150, 700, "Problem 07");
  for (int y = 500; y < 900; ++y)
    for (int stroke = 0; stroke < 3; ++stroke)
      for (int x = 0; x < 12; ++x)
        for (int c = 0; c < 3; ++c)
          page.image.row(y)[3 * (150 + 150 * stroke + (y - 500) / 2 + x) + c] = shade;
  return page.regions();
}

TEST(SeenPage, AWatermarkIsNoDrawing) {
  const auto pictures = [](const std::vector<Region>& regions) {
    return std::count_if(regions.begin(), regions.end(), [](const Region& region) {
      return region.kind == RegionKind::picture && holds_middle(region.box, {150, 700, 250, 714});
    });
  };
  EXPECT_EQ(pictures(with_strokes(225)), 0);
  EXPECT_EQ(pictures(with_strokes(90)), 1);
}

TEST(SeenPage, AmountsBelowTheirHeadsAreATable) {
  SeenPage page;
  page.write(100, 200, "Specification");
  for (const auto& [right, head] :
       {std::pair(600, "Count"), {760, "Unit"}, {900, "Price"}, {1060, "Amount"}})
    page.write(right, 200, head, true);
  page.write(100, 260, "Fee for one term");
  for (const auto& [right, value] :
       {std::pair(600, "1,00"), {760, "pc"}, {900, "887,00"}, {1060, "887,00"}})
    page.write(right, 260, value, true);
  const std::vector<Region> regions = page.regions();
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].kind, RegionKind::table);
}

/// Sees one region where it is told.
struct OneRegion : PageNet {
  FoundRegion region;
  explicit OneRegion(FoundRegion told) : region(told) {}
  std::vector<FoundRegion> find(const PageImage&) const override { return {region}; }
};

std::vector<Region> regions_beside(SeenPage& page, const FoundRegion& region) {
  PageInput input;
  input.page = 1;
  input.image = &page.image;
  input.width_px = page.image.width_px(), input.height_px = page.image.height_px();
  input.dpi = 144;
  input.words = page.words;
  return make_line_layout([region] { return std::make_unique<OneRegion>(region); })->detect(input);
}

TEST(SeenPage, APlotWhoseCirclesWereReadIsAPictureWhereTheNetIsSure) {
  const auto pictures = [](double score, bool frame) {
    SeenPage page;
    for (int k = 0; k < 12; ++k)
      page.write(100, 100 + 20 * k, "Plain words of a report stand above the plot in its frame");
    for (int k = 0; k < 8; ++k) page.write(200 + 80 * k, 500 + 30 * (k % 5), "o");
    page.rule(150, 900, 460);
    page.rule(150, 900, 700);
    for (int y = 460; frame && y < 700; ++y)
      for (int c = 0; c < 6; ++c) page.image.row(y)[3 * 150 + c] = 0;
    const auto regions = regions_beside(page, {RegionKind::picture, {145, 455, 905, 705}, score});
    return std::count_if(regions.begin(), regions.end(), [](const Region& region) {
      return region.kind == RegionKind::picture && region.box.width() > 600;
    });
  };
  EXPECT_EQ(pictures(0.96, true), 1);
  EXPECT_EQ(pictures(0.7, true), 0) << "not sure";
  EXPECT_EQ(pictures(0.96, false), 0) << "rules alone";
}

}  // namespace
}  // namespace docspec

#include "core/read/crop_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/page/rotation.h"

namespace docspec {
namespace {

PromptSet prompts(const nlohmann::json& model) {
  const nlohmann::json family = {{"image_token", "i"}, {"chat", "{image}{question}"},
                                 {"image", "i"},       {"dialect", "mini"},
                                 {"stop", {"s"}},      {"questions", nlohmann::json::object()}};
  return PromptSet(family, model, "test");
}

/// `lines` of words, 20 pixels high and 30 apart, from (50, 100) on; the text is `text`.
Draft draft_of(const std::vector<std::vector<std::string>>& lines, std::string text) {
  Draft draft{7, "tesseract", std::move(text), 0.9, {}};
  for (int i = 0; i < int(lines.size()); ++i) {
    int x = 50;
    for (const std::string& word : lines[size_t(i)]) {
      const int width = 10 * int(word.size());
      draft.words.push_back({word, {x, 100 + 30 * i, x + width, 120 + 30 * i}});
      x += width + 10;
    }
  }
  return draft;
}

PageDrafts page_of(const Draft& draft, RegionKind kind = RegionKind::text) {
  PageDrafts page{1, 400, 500, 144, {}, {draft}};
  int y1 = 0;
  for (const Word& word : draft.words) y1 = std::max(y1, word.box.y1);
  page.regions = {{3, 0, RegionKind::title, {50, 20, 350, 60}},
                  {7, 1, kind, {48, 98, 350, y1 + 2}}};
  return page;
}

const Draft kFive =
    draft_of({{"One", "two"}, {"three"}, {"four", "fi-"}, {"ve", "six"}, {"seven."}},
             "One two three four five six seven.");

std::vector<std::string> texts(const PageDrafts& page) {
  std::vector<std::string> out;
  for (const Draft& draft : page.drafts) out.push_back(draft.text);
  return out;
}

TEST(CropView, CutsATallRegionBetweenLinesThatEndInWholeWords) {
  const PageImage image(1, 400, 500, 144);
  const PageDrafts page = page_of(kFive);
  const CropView view(prompts({{"crop_lines", 3u}}), image, 0, page);
  const auto& regions = view.drafts().regions;
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_FALSE(regions[0].whole);
  for (size_t i : {1u, 2u}) EXPECT_EQ(regions[i].whole, 7);
  EXPECT_NE(regions[1].id, regions[2].id);
  EXPECT_EQ(regions[1].box.y1, 155) << "between the second and third: the third ends in a hyphen";
  EXPECT_EQ(regions[1].box.y1, regions[2].box.y0);
  EXPECT_LT(regions[1].box.y0, 98) << "the margin of a crop, above and below the region alone";
  EXPECT_GT(regions[2].box.y1, 242);
  EXPECT_EQ(texts(view.drafts()),
            (std::vector<std::string>{"One two three", "four five six seven."}));
  EXPECT_EQ(view.drafts().drafts[1].words.size(), 5u);
  EXPECT_EQ(view.drafts().drafts[1].region, regions[2].id);
  EXPECT_EQ(&view.image(), &image);
}

TEST(CropView, LeavesWhatTheModelCanReadAtOnce) {
  const PageImage image(1, 400, 500, 144);
  for (const auto& [model, kind] :
       {std::pair(nlohmann::json(nullptr), RegionKind::text),
        std::pair(nlohmann::json{{"crop_lines", 5u}}, RegionKind::text),
        std::pair(nlohmann::json{{"crop_lines", 1u}}, RegionKind::table),
        std::pair(nlohmann::json{{"crop_lines", 1u}}, RegionKind::code)}) {
    const PageDrafts page = page_of(kFive, kind);
    const CropView view(prompts(model), image, 0, page);
    ASSERT_EQ(view.drafts().regions.size(), 2u);
    EXPECT_EQ(texts(view.drafts()), texts(page));
  }
}

TEST(CropView, CutsByWhereWordsStandWhateverTheirOrder) {
  Draft mixed = draft_of({{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g", "h"}}, "a c e g b d f h");
  std::stable_sort(mixed.words.begin(), mixed.words.end(),
                   [](const Word& a, const Word& b) { return a.box.x0 < b.box.x0; });
  mixed.words.push_back({"'", {200, 126, 203, 130}});  // high above its line: no line of its own
  const PageImage image(1, 400, 500, 144);
  const CropView view(prompts({{"crop_lines", 2u}}), image, 0, page_of(mixed));
  EXPECT_EQ(texts(view.drafts()), (std::vector<std::string>{"a c b d '", "e g f h"}));
}

TEST(CropView, JoinsPartsOnlyWhenAllWereRead) {
  const PageImage image(1, 400, 500, 144);
  const PageDrafts page = page_of(kFive);
  const CropView view(prompts({{"crop_lines", 3u}}), image, 0, page);
  PageDrafts read = view.drafts();
  read.drafts[0].source = "verified";
  EXPECT_EQ(texts(view.whole(read)), texts(page)) << "half a region is no region";
  read.drafts[1].source = "verified";
  read.drafts[1].text = "4 5 6 7";
  read.drafts[1].confidence = 0.5;
  const PageDrafts whole = view.whole(read);
  ASSERT_EQ(whole.drafts.size(), 1u);
  EXPECT_EQ(whole.drafts[0].region, 7);
  EXPECT_EQ(whole.drafts[0].source, "verified");
  EXPECT_EQ(whole.drafts[0].text, "One two three 4 5 6 7");
  EXPECT_EQ(whole.drafts[0].confidence, 0.5);
  EXPECT_EQ(whole.regions.size(), 2u);
}

TEST(CropView, SetsACrookedPageLevel) {
  PageImage image(1, 400, 500, 144);
  const Box line{60, 200, 340, 212};
  for (int y = line.y0; y < line.y1; ++y) std::fill_n(image.row(y) + 3 * line.x0, 840, uint8_t(0));
  const PageImage crooked = rotate(image, 2);
  PageDrafts page{1, 400, 500, 144, {}, {}};
  page.regions = {{0, 0, RegionKind::text, rotate(line, 2, 400, 500)}};
  page.drafts = {{0, "tesseract", "x", 1, {{"x", rotate(line, 2, 400, 500)}}}};
  EXPECT_GT(page.regions[0].box.height(), line.height() + 8);
  const CropView level(prompts({{"level_crops", true}}), crooked, -2, page);
  for (const Box& box : {level.drafts().regions[0].box, level.drafts().drafts[0].words[0].box}) {
    EXPECT_NEAR(box.y0, line.y0, 2);
    EXPECT_NEAR(box.y1, line.y1, 2);
  }
  EXPECT_LT(level.image().row(206)[3 * 70], 60);
  EXPECT_LT(level.image().row(206)[3 * 330], 60);
  EXPECT_GT(level.image().row(195)[3 * 70], 200);
  const CropView as_it_is(prompts(nullptr), crooked, -2, page);
  EXPECT_EQ(&as_it_is.image(), &crooked);
  EXPECT_EQ(as_it_is.drafts().regions[0].box, page.regions[0].box);
}

}  // namespace
}  // namespace docspec

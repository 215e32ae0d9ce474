#include "core/document/drafts_json.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"

namespace docspec {
namespace {

DraftsFile random_file(std::mt19937& rng) {
  DraftsFile file{"a \"b\".pdf", "00ff", {}};
  for (int p = 1; p <= int(rng() % 4); ++p) {
    PageDrafts page{p, 800, 1000, 0, {}, {}};
    for (int r = 0; r < int(rng() % 5); ++r) {
      const int x = int(rng() % 700), y = int(rng() % 900);
      page.regions.push_back(
          {r, r, RegionKind(rng() % 12), {x, y, x + int(rng() % 90), y + 9}, 0.25});
      page.drafts.push_back({r, "tesseract", "é\n\"text\" \\ " + std::to_string(rng()), 0.5, {}});
      if (rng() % 2) page.drafts.back().words.push_back({"é", {x, y, x + 5, y + 5}, 0.75});
    }
    if (rng() % 2) page.drafts.push_back({std::nullopt, "replay", "whole page", 1, {}});
    file.pages.push_back(page);
  }
  return file;
}

TEST(DraftsJson, ReadsWhatItWrote) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 rng(seed);
    const std::string json = render_drafts_json(random_file(rng));
    EXPECT_EQ(render_drafts_json(parse_drafts_json(json, "x")), json) << "seed " << seed;
  }
}

TEST(DraftsJson, KeepsBoxesKindsAndNullRegions) {
  const DraftsFile file = parse_drafts_json(
      R"({"schema":"docspec-drafts/1","source":{"file":"f","sha256":"s"},"pages":[{"page":2,"width":10,"height":20,
      "regions":[{"id":7,"order":0,"category":"List-item","bbox":[1,2,3,4],"score":0.5}],
      "drafts":[{"region":null,"source":"x","text":"t"},{"region":7,"source":"y","text":"u","words":[{"text":"u","bbox":[1,2,3,4]}]}]}]})",
      "d.json");
  ASSERT_EQ(file.pages.size(), 1u);
  EXPECT_EQ(file.pages[0].regions[0].kind, RegionKind::list_item);
  EXPECT_EQ(file.pages[0].regions[0].box, (Box{1, 2, 3, 4}));
  EXPECT_FALSE(file.pages[0].drafts[0].region);
  EXPECT_EQ(file.pages[0].drafts[1].words[0].confidence, 1);
}

TEST(DraftsJson, NamesTheFileAndTheKeyThatIsWrong) {
  const std::string head = R"({"schema":"docspec-drafts/1","source":{"file":"f"},"pages":[)";
  const std::pair<std::string, std::string> cases[] = {
      {"{", "not JSON"},
      {R"({"schema":"other","source":{},"pages":[]})", "schema"},
      {head + "{}]}", "pages[0].page"},
      {head + R"({"page":1,"width":0,"height":1,"regions":[],"drafts":[]}]})", "pages[0].width"},
      {head +
           R"({"page":1,"width":9,"height":9,"regions":[{"id":0,"order":0,"category":"Blob","bbox":[0,0,1,1]}],"drafts":[]}]})",
       "pages[0].regions[0].category"},
      {head +
           R"({"page":1,"width":9,"height":9,"regions":[{"id":0,"order":0,"category":"Text","bbox":[5,0,1,1]}],"drafts":[]}]})",
       "pages[0].regions[0].bbox"},
      {head +
           R"({"page":1,"width":9,"height":9,"regions":[],"drafts":[{"region":3,"source":"s","text":"t"}]}]})",
       "pages[0].drafts[0].region"},
      {head + "7]}", "pages[0]"},
  };
  for (const auto& [json, key] : cases) {
    try {
      parse_drafts_json(json, "d.json");
      ADD_FAILURE() << json;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.code(), ExitCode::input_file);
      EXPECT_TRUE(message.starts_with("d.json: ")) << message;
      EXPECT_NE(message.find(key), message.npos) << message;
    }
  }
}

TEST(DraftsJson, TakesWholeNumbersInAnyNotationAsTheSchemaDoes) {
  const std::string file = R"({"schema": "docspec-drafts/1", "source": {"file": "x", "sha256": ""},
    "pages": [{"page": 1.0, "width": 8e2, "height": 1000, "drafts": [], "regions":
      [{"id": 0, "order": 0, "category": "Text", "bbox": [10.0, 0.0, 1e2, 20.0]}]}]})";
  const Box box = parse_drafts_json(file, "x").pages.at(0).regions.at(0).box;
  EXPECT_EQ(box.x0, 10);
  EXPECT_EQ(box.x1, 100);
  std::string half = file;
  half.replace(half.find("10.0"), 4, "10.5");
  EXPECT_THROW(parse_drafts_json(half, "x"), Error);
}

}  // namespace
}  // namespace docspec

#include "core/read/bench.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/read/bench_html.h"
#include "core/text/edit_distance.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

BenchPage page(int number, double baseline_forward_ms) {
  BenchPage out;
  out.input = "a/b.pdf";
  out.page = number;
  out.baseline_ids = out.run_ids = {1, 2, 3, 4};
  out.baseline.phase_ms = {{"prefill", 100}, {"forward", baseline_forward_ms}};
  out.run.phase_ms = {{"prefill", 100}, {"forward", 60}, {"propose", 10}};
  out.run.passes = 2;
  out.run.tree_passes = 1;
  out.run.accepted = 2;
  out.run.emitted = 4;
  out.run.by_source["tesseract"] = {5, 2};
  out.region.phase_ms = {{"prefill", 15}, {"forward", 5}};
  out.draft_ms = 10;
  out.region_ms = 20;
  out.raster_ms = 50;
  return out;
}

TEST(Bench, DecodeTimeOfTheRunIncludesDraftsAndRegionStage) {
  const BenchPage one = page(1, 300);
  EXPECT_DOUBLE_EQ(one.baseline_decode_ms(), 300);
  EXPECT_DOUBLE_EQ(one.run_decode_ms(), 60 + 10 + 10 + 20);
  EXPECT_DOUBLE_EQ(one.baseline_e2e_ms(), 450);
  EXPECT_DOUBLE_EQ(one.run_e2e_ms(), 250);
}

TEST(Bench, JsonHoldsTheContractAndBothAverages) {
  std::vector<BenchPage> pages = {page(1, 300), page(2, 100)};
  pages[1].run_ids = {1, 9};
  pages[1].baseline_margins = {3, 0.5, 2, 1};
  const auto json = bench_json({{"device", {{"name", "cpu"}}}}, pages);
  EXPECT_EQ(json["schema"], "docspec-bench/1");
  EXPECT_EQ(json["device"]["name"], "cpu");
  EXPECT_EQ(json["pages"][0]["sr_decode"], 3.0);
  EXPECT_EQ(json["pages"][0]["sr_e2e"], 1.8);
  EXPECT_EQ(json["pages"][0]["run"]["region_prefill_ms"], 15.0);
  EXPECT_EQ(json["pages"][0]["first_difference"], nullptr);
  EXPECT_EQ(json["pages"][0]["by_source"]["tesseract"]["accepted"], 2);
  EXPECT_EQ(json["pages"][1]["identical"], false);
  EXPECT_EQ(json["pages"][1]["first_difference"],
            (nlohmann::json{{"position", 1}, {"baseline_id", 2}, {"run_id", 9}, {"margin", 0.5}}));
  EXPECT_EQ(json["total"]["identical_pages"], 1);
  EXPECT_EQ(json["total"]["sr_decode"]["ratio_of_sums"], 2.0);
  EXPECT_EQ(json["total"]["sr_decode"]["mean_of_ratios"], 2.0);
  EXPECT_EQ(json["total"]["aal_all"], 1.0);
  EXPECT_EQ(json["total"]["aal_tree"], 2.0);
}

/// The keys of an object, "name" or "name.inner".
std::set<std::string> keys(const nlohmann::json& object, const std::string& prefix = "") {
  std::set<std::string> out;
  for (const auto& [key, value] : object.items()) {
    out.insert(prefix + key);
    if (prefix.empty() && value.is_object() && key != "by_source")
      out.merge(keys(value, key + "."));
  }
  return out;
}

TEST(Bench, JsonHasTheKeysOfTheContractAndFewOthers) {
  std::vector<BenchPage> pages = {page(1, 300), page(2, 300)};
  pages[1].baseline_ids.assign(200, 7);
  const auto json = bench_json(nlohmann::json::object(), pages);
  const std::set<std::string> promised = {"input",
                                          "page",
                                          "output_tokens",
                                          "baseline",
                                          "baseline.prefill_ms",
                                          "baseline.decode_ms",
                                          "baseline.e2e_ms",
                                          "run",
                                          "run.draft_ms",
                                          "run.region_ms",
                                          "run.prefill_ms",
                                          "run.decode_ms",
                                          "run.e2e_ms",
                                          "run.passes",
                                          "run.accepted",
                                          "run.emitted",
                                          "run.rows",
                                          "run.aal_all",
                                          "run.aal_tree",
                                          "run.tokens_per_pass",
                                          "by_source",
                                          "sr_decode",
                                          "sr_e2e",
                                          "identical",
                                          "first_difference"};
  std::set<std::string> found = keys(json["pages"][0]);
  for (const std::string& key : promised) EXPECT_EQ(found.erase(key), 1u) << key;
  std::erase_if(found, [](const std::string& key) { return key.starts_with("region."); });
  EXPECT_EQ(found, (std::set<std::string>{"region", "run.phase_ms", "run.region_prefill_ms",
                                          "run.run_lengths"}));
  EXPECT_TRUE(json["pages"][1].contains("excluded"));
  EXPECT_EQ(keys(json["total"]),
            (std::set<std::string>{"pages", "identical_pages", "excluded_pages", "aal_all",
                                   "aal_tree", "tokens_per_pass", "sr_decode",
                                   "sr_decode.ratio_of_sums", "sr_decode.mean_of_ratios", "sr_e2e",
                                   "sr_e2e.ratio_of_sums", "sr_e2e.mean_of_ratios"}));
}

TEST(Bench, PassesWithAnEmptyTreeCountAsZero) {
  BenchPage one = page(1, 300);
  one.run.passes = 8;
  one.run.tree_passes = 2;
  one.run.accepted = 6;
  const auto json = bench_json(nlohmann::json::object(), {&one, 1});
  EXPECT_EQ(json["pages"][0]["run"]["aal_all"], 0.75);
  EXPECT_EQ(json["pages"][0]["run"]["aal_tree"], 3.0);
  EXPECT_EQ(json["pages"][0]["run"]["region_ms"], 20.0);
}

TEST(Bench, LoopingBaselinesAreListedAndLeftOut) {
  std::vector<BenchPage> pages = {page(1, 300), page(2, 9000)};
  pages[1].baseline_ids.assign(200, 7);
  pages[1].run_ids = pages[1].baseline_ids;
  const auto json = bench_json(nlohmann::json::object(), pages);
  EXPECT_EQ(json["pages"][1]["excluded"], "loop");
  EXPECT_EQ(json["total"]["excluded_pages"], 1);
  EXPECT_EQ(json["total"]["sr_decode"]["ratio_of_sums"], 3.0);
  EXPECT_NE(bench_table(pages, nlohmann::json::array()).find("left out"), std::string::npos);
}

TEST(Bench, TextsAreComparedWithTheTruthOfTheirStem) {
  const test::TempDir dir;
  std::ofstream(dir / "b.md") << "# Head\n\nSome text.\n\nMore\n";
  std::vector<BenchPage> pages = {page(1, 300), page(2, 300), page(1, 300)};
  pages[0].markdown = "# Head\n\nSome text.\n";
  pages[1].markdown = "More";
  pages[2].input = "a/unknown.pdf";
  const auto texts = bench_texts(pages, dir.path());
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0]["input"], "a/b.pdf");
  EXPECT_EQ(texts[0]["edit_distance"], 0.0);
  EXPECT_DOUBLE_EQ(normalized_edit_distance("kitten", "sitting"), 3.0 / 7);
  EXPECT_EQ(normalized_edit_distance("", ""), 0);
  EXPECT_EQ(normalized_edit_distance("a \n b", "a b"), 0);
}

TEST(Bench, HtmlIsOneSelfContainedPageWithItsPlots) {
  std::vector<BenchPage> pages = {page(1, 300), page(2, 9000)};
  pages[0].run.run_lengths = {{0, 3}, {7, 2}, {300, 1}};
  pages[0].run_ids = {1, 9};
  pages[0].input = "<b>&\"x\"";
  pages[1].baseline_ids.assign(200, 7);
  auto json = bench_json({{"device", {{"name", "cpu"}}}}, pages);
  json["cost_curve"] = {{1, 10.0}, {8, 11.0}, {16, 15.5}};
  json["texts"] = {{{"input", "b.pdf"}, {"edit_distance", 0.125}}};
  const std::string html = bench_html(json);
  for (const char* part :
       {"Decode speed-up by page", "Accepted tokens by source", "Passes by accepted tokens",
        "Milliseconds by phase", "Milliseconds per pass, by number of rows", "24 or more",
        "tesseract", "left out: loop", "token 1, margin", "12.50 %", "&lt;b&gt;&amp;",
        "class=\"mark\"", "<dt>AAL</dt>", "prefers-color-scheme:dark", "width=device-width"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* outside : {"http:", "https:", "<script", "<b>&\"x"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_EQ(std::string_view(html).substr(html.size() - 8), "</html>\n");
}

TEST(Bench, TellsCirclesFromTextAndTables) {
  std::vector<int32_t> ids;
  for (int i = 0; i < 300; ++i) ids.push_back(i * 7919 % 1000);
  EXPECT_FALSE(loops(ids));
  for (int i = 0; i < 30; ++i) ids.insert(ids.end(), {5, 6, 8});
  EXPECT_TRUE(loops(ids));
  ids.push_back(42);  // it found its way out
  EXPECT_FALSE(loops(ids));
  EXPECT_FALSE(loops(std::vector<int32_t>(20, 1)));
}

}  // namespace
}  // namespace docspec

#include "core/decode/stage.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/decode/exact_verifier.h"
#include "core/decode/registry.h"
#include "core/markup/registry.h"
#include "core/model/registry.h"
#include "core/text/tokenizer.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class StageOnRealEngine : public RealEngine {};

TEST_F(StageOnRealEngine, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 16; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 50);
}

TEST_F(StageOnRealEngine, CommitLeavesTheCacheOfAFreshPrefill) {
  Generation generation;
  generation.limits.max_new_tokens = 30;
  std::vector<Job> plain;
  plain.push_back(job(0, generation, {}));
  const Ids truth = run(plain, 1)[0];
  Ids edited = truth;
  edited[truth.size() / 2] = (edited[truth.size() / 2] + 1) % 50;
  std::vector<Job> drafted;
  drafted.push_back(job(0, generation, {{"truth", truth}, {"edited", edited}}));
  EXPECT_EQ(run(drafted, 16)[0], truth);
  EXPECT_GT(drafted[0].stats().accepted, 10);

  Ids accepted(drafted[0].prompt_ids().begin(), drafted[0].prompt_ids().end());
  accepted.insert(accepted.end(), truth.begin(), truth.end() - 1);
  const PageImage image = oracle_.page(0);
  const Prefilled fresh = vlm_.prefill(&image, accepted);
  const auto& expected = dynamic_cast<const LayeredKvCache&>(*fresh.cache);
  const auto& cache = dynamic_cast<const LayeredKvCache&>(drafted[0].cache());
  ASSERT_EQ(cache.length(), expected.length());
  for (int64_t layer = 0; layer < 2; ++layer) {
    const auto same = [&](const at::Tensor& a, const at::Tensor& b) {
      return at::equal(a.narrow(1, 0, cache.length()), b.narrow(1, 0, cache.length()));
    };
    EXPECT_TRUE(same(cache.keys(layer), expected.keys(layer))) << "layer " << layer;
    EXPECT_TRUE(same(cache.values(layer), expected.values(layer))) << "layer " << layer;
  }
}

TEST_F(StageOnRealEngine, BothStagesKeepTheirIdsUnderAnyDrafts) {
  const PageImage small = oracle_.page(0);
  PageImage page(1, 200, 240, 72);
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 600; ++x)
      page.row(y)[x] = small.row(y % small.height_px())[x % (3 * small.width_px())];
  const std::vector<Region> regions = {{4, 0, RegionKind::title, {10, 10, 190, 40}},
                                       {7, 1, RegionKind::text, {10, 50, 190, 120}},
                                       {8, 2, RegionKind::picture, {10, 120, 190, 160}},
                                       {9, 3, RegionKind::table, {10, 160, 190, 230}},
                                       {11, 4, RegionKind::text, {500, 160, 590, 230}}};
  std::vector<Draft> drafts;
  const auto add = [&](int region, const char* source, const char* text) {
    Draft& draft = drafts.emplace_back();
    draft.region = region;
    draft.source = source;
    draft.text = text;
  };
  add(4, "tesseract", "A title");
  add(7, "tesseract", "Some words of text.");
  add(7, "text-layer", "Some words of text, again");
  add(8, "tesseract", "in a figure");
  add(9, "tesseract", "<table><tr><td>1</td></tr></table>");
  add(11, "tesseract", "outside");
  const auto dialect = make_dialect("markdown");
  const auto exact = make_exact_verifier();
  const auto window = parse_spec_list("--propose", "window:n=1", forms(proposers()));
  StageEngine engine{vlm_, *ops_, *dialect, *exact, {}, {}, {}};
  engine.generation.limits.max_new_tokens = 24;
  for (const Stage stage : {Stage::region, Stage::page}) {
    engine.proposers = {};
    const StageResult plain = run_stage(stage, engine, {&page, regions, drafts});
    ASSERT_EQ(plain.jobs.size(), stage == Stage::region ? 3u : 1u);
    EXPECT_EQ(plain.stats.accepted, 0);
    engine.proposers = window;
    std::vector<Draft> verified = plain.drafts;  // what was read is a draft, too
    for (uint32_t seed = 0; seed < 4; ++seed) {
      std::mt19937 rng(seed);
      std::shuffle(drafts.begin(), drafts.end(), rng);
      const StageResult drafted =
          run_stage(stage, engine, {&page, regions, seed % 2 ? verified : drafts});
      ASSERT_EQ(drafted.jobs.size(), plain.jobs.size());
      for (size_t i = 0; i < plain.jobs.size(); ++i) {
        EXPECT_TRUE(std::ranges::equal(drafted.jobs[i].output(), plain.jobs[i].output()));
        EXPECT_EQ(drafted.drafts[i].region, plain.drafts[i].region);
        EXPECT_EQ(drafted.drafts[i].source, "verified");
      }
      EXPECT_GT(drafted.stats.ms("prefill"), 0);
      EXPECT_GT(drafted.stats.rows, drafted.stats.passes);
    }
  }
}

TEST_F(StageOnRealEngine, GenerationConfigGivesStopsAndPenalty) {
  const Checkpoint checkpoint(oracle_.model());
  const Generation g = read_generation(checkpoint.json("generation_config.json"), vlm_.prompts(),
                                       vlm_.tokenizer(), 99);
  EXPECT_EQ(g.limits.max_new_tokens, 99);
  for (int32_t stop : {502, 500})
    EXPECT_EQ(std::count(g.limits.stop_ids.begin(), g.limits.stop_ids.end(), stop), 1);
  EXPECT_DOUBLE_EQ(g.processor.repetition_penalty, 1.05);
  EXPECT_EQ(g.processor.no_repeat_ngram_size, 0);
}

}  // namespace
}  // namespace docspec

#include "core/decode/stage.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/decode/exact_verifier.h"
#include "core/decode/registry.h"
#include "core/markup/registry.h"
#include "core/model/registry.h"
#include "core/text/tokenizer.h"
#include "tests/support/real_stages.h"

namespace docspec {
namespace {

class StageOnRealEngine : public RealStages {};

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
  for (uint32_t seed = 0; seed < 10; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_) {
    EXPECT_GT(stats.tree_passes, 20) << (stage == Stage::page ? "page" : "region");
    EXPECT_GT(stats.accepted, 10) << (stage == Stage::page ? "page" : "region");
  }
}

TEST_F(StageOnRealEngine, StagesReadRegionsWithTextAndYieldTheirDrafts) {
  const Scene& page = scene(0);
  std::vector<Draft> drafts;
  for (const Region& region : page.regions) {
    Draft& draft = drafts.emplace_back();
    draft.region = region.id;
    draft.source = "tesseract";
    draft.text = region.id == 7 ? "" : "Some words of text.";
  }
  // Heads of drafts are proposed while the output is shorter than the window, match or no match.
  const auto window = parse_spec_list("--propose", "window:n=3", forms(proposers()));
  for (const Stage stage : {Stage::region, Stage::page}) {
    const StageResult result =
        run_stage(stage, engine(1, window), {&page.image, page.regions, drafts});
    std::vector<std::optional<int>> read;
    for (const Draft& draft : result.drafts) {
      EXPECT_EQ(draft.source, "verified");
      read.push_back(draft.region);
    }
    // Neither the region without a word nor figures and crops that the model cannot take.
    using Regions = std::vector<std::optional<int>>;
    EXPECT_EQ(read, stage == Stage::page ? Regions{std::nullopt} : (Regions{4, 9, 12}));
    EXPECT_EQ(result.stats.tree_passes, stage == Stage::page ? 2 : 6);
    EXPECT_EQ(result.stats.by_source.size(), 1u);
    EXPECT_GT(result.stats.by_source.at("tesseract").proposed, 0);
    EXPECT_GT(result.stats.ms("prefill"), 0);
  }
}

TEST_F(StageOnRealEngine, ThreadsThatChangeBetweenPassesChangeNoBit) {
  int pass = 0;
  StageEngine changing = engine(1.3, {});
  changing.decode.before_pass = [&pass] { at::set_num_threads(1 + pass++ % 2); };
  const Scene& page = scene(3);
  const StageResult result = run_stage(Stage::page, changing, {&page.image, page.regions, {}});
  at::set_num_threads(1);
  const auto output = result.jobs[0].output();
  EXPECT_EQ(Ids(output.begin(), output.end()), page.truth.at(Stage::page).at({}));
  EXPECT_EQ(pass, 1 + result.stats.forwards);
  // Margins are differences of logits: they would show what ids hide.
  const StageResult one = run_stage(Stage::page, engine(1.3, {}), {&page.image, page.regions, {}});
  EXPECT_TRUE(std::ranges::equal(result.jobs[0].margins(), one.jobs[0].margins()));
  EXPECT_EQ(one.jobs[0].margins().size(), output.size());
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

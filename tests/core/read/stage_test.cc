#include "core/read/stage.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/decode/registry.h"
#include "core/decode/verify/exact_verifier.h"
#include "core/markup/registry.h"
#include "core/model/families/registry.h"
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
  auto& expected = dynamic_cast<LayeredKvCache&>(*fresh.cache);
  auto& cache = dynamic_cast<LayeredKvCache&>(drafted[0].cache());
  ASSERT_EQ(cache.length(), expected.length());
  for (int64_t layer = 0; layer < 2; ++layer) {
    for (const int side : {0, 1}) {
      const auto rows = [&](LayeredKvCache& of) {
        return whole_cache(of.rows(layer), side).narrow(1, 0, cache.length());
      };
      EXPECT_TRUE(at::equal(rows(cache), rows(expected))) << "layer " << layer;
    }
  }
}

TEST_F(StageOnRealEngine, BothStagesKeepTheirIdsUnderAnyDrafts) {
  for (uint32_t seed = 0; seed < 10; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_) {
    EXPECT_GT(stats.tree_passes, 20) << (stage == Stage::page ? "page" : "region");
    EXPECT_GT(stats.accepted, 10) << (stage == Stage::page ? "page" : "region");
  }
}

/// The same laws on another family: 1-D positions, another vision tower, JSON markup.
class StageOnDotsOcr : public RealStages {
 protected:
  StageOnDotsOcr() : RealStages("dots_ocr/hub") {}
};

TEST_F(StageOnDotsOcr, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 16; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 50);
}

TEST_F(StageOnDotsOcr, BothStagesKeepTheirIdsUnderAnyDrafts) {
  for (uint32_t seed = 0; seed < 10; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_) {
    EXPECT_GT(stats.tree_passes, 20) << (stage == Stage::page ? "page" : "region");
    EXPECT_GT(stats.accepted, 10) << (stage == Stage::page ? "page" : "region");
  }
}

/// And with rows that the language model adds behind its first layers.
class StageOnQwen3 : public RealStages {
 protected:
  StageOnQwen3() : RealStages("qwen3_vl/nested") {}
};

TEST_F(StageOnQwen3, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 25);
}

TEST_F(StageOnQwen3, BothStagesKeepTheirIdsUnderAnyDrafts) {
  for (uint32_t seed = 0; seed < 5; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_)
    EXPECT_GT(stats.tree_passes, 10) << (stage == Stage::page ? "page" : "region");
}

/// And with images cut into tiles.
class StageOnLlava : public RealStages {
 protected:
  StageOnLlava() : RealStages("llava_onevision/hub_tied") {}
};

TEST_F(StageOnLlava, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 25);
}

TEST_F(StageOnLlava, BothStagesKeepTheirIdsUnderAnyDrafts) {
  for (uint32_t seed = 0; seed < 5; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_)
    EXPECT_GT(stats.tree_passes, 10) << (stage == Stage::page ? "page" : "region");
}

/// And with four rotary axes, the norms of q and k behind the rotation.
class StageOnHunyuan : public RealStages {
 protected:
  StageOnHunyuan() : RealStages("hunyuan_vl/hub_tied") {}
};

TEST_F(StageOnHunyuan, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 25);
}

TEST_F(StageOnHunyuan, BothStagesKeepTheirIdsUnderAnyDrafts) {
  for (uint32_t seed = 0; seed < 5; ++seed) expect_same_ids(seed);
  for (const auto& [stage, stats] : stage_stats_)
    EXPECT_GT(stats.tree_passes, 10) << (stage == Stage::page ? "page" : "region");
}

/// And with experts, which rows of a pass share.
class StageOnDeepseek : public RealStages {
 protected:
  StageOnDeepseek() : RealStages("deepseek_ocr2/nested") {}
};

TEST_F(StageOnDeepseek, DraftsAndBatchesNeverChangeTheIds) {
  for (uint32_t seed = 0; seed < 5; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 5);
}

TEST_F(StageOnDeepseek, BothStagesKeepTheirIdsUnderAnyDrafts) {
  expect_same_ids(0);
  for (const auto& [stage, stats] : stage_stats_)
    EXPECT_GT(stats.tree_passes, 0) << (stage == Stage::page ? "page" : "region");
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

TEST_F(StageOnRealEngine, AdaptiveReadsDoubtfulRegionsBesideThePageAndSwapsThemIn) {
  const Scene& page = scene(0);
  std::vector<Draft> drafts;
  for (const Region& region : page.regions) {
    Draft& draft = drafts.emplace_back();
    draft.region = region.id;
    draft.source = "tesseract";
    draft.text = "Some words of text.";
    draft.confidence = region.id == 9 ? 0.4 : 0.95;
  }
  const auto all = parse_spec_list("--propose", automatic(proposers()), forms(proposers()));
  StageEngine drafted = engine(1, all);
  drafted.generation.limits.stop_ids.push_back(page.truth.at(Stage::region).at(9)[3]);
  const StageResult result =
      run_stage(Stage::adaptive, drafted, {&page.image, page.regions, drafts});
  ASSERT_EQ(result.jobs.size(), 2u) << "the page, and the one region in doubt";
  EXPECT_FALSE(result.drafts[0].region);
  EXPECT_EQ(result.drafts[1].region, 9);
  EXPECT_EQ(result.jobs[1].end(), JobEnd::stop);
  EXPECT_EQ(result.region_stats.decodes, 1);
  EXPECT_EQ(result.stats.decodes, 1);
  EXPECT_GT(result.region_stats.ms("prefill"), 0);
  EXPECT_EQ(result.stats.output_tokens, int64_t(result.jobs[0].output().size()));
  for (Draft& draft : drafts) draft.confidence = 0.95;
  EXPECT_EQ(run_stage(Stage::adaptive, drafted, {&page.image, page.regions, drafts}).jobs.size(),
            1u);
}

TEST_F(StageOnRealEngine, MeasuringTheCostOfPassesChangesNoId) {
  const Scene& page = scene(0);
  std::vector<Draft> drafts(1);
  drafts[0].source = "tesseract";
  drafts[0].text = text(page.truth.at(Stage::page).at({}));
  const auto all = parse_spec_list("--propose", automatic(proposers()), forms(proposers()));
  StageEngine measured = engine(1, all);
  CostCurve curve;
  measured.cost = [&](KvCache& cache) {
    return curve = measure_cost_curve(vlm_.language_model(), cache, {});
  };
  const StageInput input{&page.image, page.regions, drafts};
  EXPECT_EQ(ids(Stage::page, measured, input), page.truth.at(Stage::page));
  EXPECT_TRUE(curve.measured());
  EXPECT_GT(curve.cost(1), 0);
  EXPECT_GE(curve.cost(128), curve.cost(1));
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
  EXPECT_EQ(one.jobs[0].margins().size(),
            output.size() + (one.jobs[0].end() == JobEnd::stop));  // the stop token has one, too
}

TEST_F(StageOnRealEngine, TheLimitOfAPageEndsItsImageAndItsPrefill) {
  const Scene& page = scene(0);
  int products = 0, most = 1 << 30;
  StageEngine limited = engine(1, {});
  limited.generation.limits.max_new_tokens = 1;  // no pass after the prefill
  limited.page_limit = [&] {
    if (++products > most) throw Error(ExitCode::partial, "late");
  };
  const auto read = [&] {
    products = 0;
    run_stage(Stage::page, limited, {&page.image, page.regions, {}});
  };
  read();
  const int all = products;
  EXPECT_GT(all, 20);
  for (const int last : {0, 1, all / 2, all - 1}) {
    most = last;
    EXPECT_THROW(read(), Error) << last;
    EXPECT_EQ(products, last + 1) << "nothing was computed after it";
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

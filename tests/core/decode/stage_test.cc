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
#include "tests/support/decode_laws.h"
#include "tests/support/oracle_case.h"

namespace docspec {
namespace {

/// The tiny Qwen2.5-VL with random weights that the oracle tests use, f32.
class RealEngine : public ::testing::Test {
 protected:
  RealEngine()
      : oracle_(DOCSPEC_SOURCE_DIR "/tests/data/oracle/qwen2_5_vl/hub_tied"),
        ops_(make_aten_ops()),
        vlm_(load_vlm(oracle_.model(), {.dtype = "f32", .share = DOCSPEC_SOURCE_DIR "/share"},
                      *ops_)) {}

  Job job(int page, const Generation& generation, const std::vector<DraftTokens>& drafts) {
    const PageImage image = oracle_.page(page);
    Ids prompt = vlm_.prompt_ids(&image, oracle_.question());
    Prefilled prefilled = vlm_.prefill(&image, prompt);
    Job job({page + 1, "page", {}}, prompt, std::move(prefilled.cache), generation.limits,
            generation.processor);
    if (!drafts.empty()) job.add(make_window_proposer(drafts, {}));
    start(job, *ops_, prefilled.logits);
    return job;
  }

  std::vector<Ids> run(std::vector<Job>& jobs, size_t rows) {
    DecodeOptions options;
    options.cost.fixed = rows;
    stats_ += decode(vlm_.language_model(), *ops_, *make_exact_verifier(), nullptr, jobs, options);
    std::vector<Ids> out;
    for (const Job& job : jobs) out.emplace_back(job.output().begin(), job.output().end());
    return out;
  }

  const test::OracleCase oracle_;
  std::unique_ptr<Ops> ops_;
  Vlm vlm_;
  DecodeStats stats_;
};

TEST_F(RealEngine, DraftsAndBatchesNeverChangeTheIds) {
  for (const double penalty : {1.0, 1.3}) {
    Generation generation;
    generation.limits.max_new_tokens = 40;
    generation.processor.repetition_penalty = penalty;
    std::vector<Ids> plain;
    for (int page = 0; page < oracle_.pages(); ++page) {
      std::vector<Job> alone;
      alone.push_back(job(page, generation, {}));
      plain.push_back(run(alone, 1)[0]);
    }
    for (uint32_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      std::vector<Job> batch;
      std::vector<Ids> expected;
      for (size_t n = 1 + seed % 4, i = 0; i < n; ++i) {
        const size_t page = rng() % plain.size();
        batch.push_back(
            job(int(page), generation,
                random_drafts(rng, plain[page], plain[0], vlm_.language_model().vocab_size(), 1)));
        expected.push_back(plain[page]);
      }
      EXPECT_EQ(run(batch, 4 + rng() % 60), expected);
    }
  }
  EXPECT_GT(stats_.accepted, 50);
}

TEST_F(RealEngine, CommitLeavesTheCacheOfAFreshPrefill) {
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

TEST_F(RealEngine, BothStagesKeepTheirIdsUnderAnyDrafts) {
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
  std::vector<Draft> drafts = {{4, "tesseract", "A title"},
                               {7, "tesseract", "Some words of text."},
                               {7, "text-layer", "Some words of text, again"},
                               {8, "tesseract", "in a figure"},
                               {9, "tesseract", "<table><tr><td>1</td></tr></table>"},
                               {11, "tesseract", "outside"}};
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

TEST_F(RealEngine, GenerationConfigGivesStopsAndPenalty) {
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

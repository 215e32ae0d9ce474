// Fixation in the decoder, with drafts, on a committed random checkpoint.
#include "core/decode/prune/fixation_selector.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class FixationDecode : public RealEngine {
 protected:
  int64_t visual(int page) const {
    const PageImage image = oracle_.page(page);
    return vlm_.image_processor().visual_tokens(image.width_px(), image.height_px());
  }

  /// Ids of pages decoded together under `options`, with random drafts or without.
  std::vector<Ids> read(const FixationOptions& options, uint32_t seed, bool drafted, size_t rows) {
    std::mt19937 rng(seed);
    SelectorInput input{vlm_.language_model().layer_count(), {}, {}};
    std::vector<Job> jobs;
    for (int page = 0; page < oracle_.pages(); ++page) {
      std::vector<DraftTokens> drafts;
      if (drafted)
        drafts =
            random_drafts(rng, plain(page, 1), plain(0, 1), vlm_.language_model().vocab_size(), 1);
      jobs.push_back(job(page, generation(1), drafts));
      input.jobs.push_back({visual(page)});
    }
    const auto selector = make_fixation_selector(options, input);
    DecodeOptions decoding;
    decoding.cost.fixed = rows;
    counts_ = decode(vlm_.language_model(), *ops_, *make_exact_verifier(), selector.get(), jobs,
                     decoding);
    std::vector<Ids> out;
    for (const Job& job : jobs) out.emplace_back(job.output().begin(), job.output().end());
    return out;
  }
  std::vector<Ids> all_plain() {
    std::vector<Ids> out;
    for (int page = 0; page < oracle_.pages(); ++page) out.push_back(plain(page, 1));
    return out;
  }
  static FixationOptions options(double keep) {
    FixationOptions out;
    out.keep = keep;
    out.focal = 0.5;
    out.warm_up = 4;
    out.least = 1;
    return out;
  }

  DecodeStats counts_;
};

TEST_F(FixationDecode, KeepingAllVisualRowsIsPlainDecoding) {
  for (const bool each : {true, false})
    for (uint32_t seed = 0; seed < 4; ++seed) {
      FixationOptions all = options(1);
      all.each = each;
      EXPECT_EQ(read(all, seed, seed > 0, 24), all_plain()) << each << ' ' << seed;
      EXPECT_EQ(counts_.visual_keys, counts_.all_visual_keys);
      EXPECT_EQ(counts_.pruned_passes, 0);
    }
}

TEST_F(FixationDecode, AllLayersFocalIsPlainDecoding) {
  FixationOptions focal = options(0.1);
  focal.focal = 1;
  focal.gap = 0;
  EXPECT_EQ(read(focal, 1, true, 24), all_plain());
}

TEST_F(FixationDecode, TheFirstStepsAreThoseOfPlainDecoding) {
  FixationOptions few = options(0.05);
  const std::vector<Ids> pruned = read(few, 0, false, 1);
  const std::vector<Ids> wanted = all_plain();
  ASSERT_GT(counts_.pruned_passes, 0);
  EXPECT_NE(pruned, wanted) << "a random model's text shows what it does not see";
  // The first token comes from the prompt, each warm-up row gives one more.
  for (size_t page = 0; page < wanted.size(); ++page)
    for (int64_t i = 0; i <= few.warm_up; ++i)
      EXPECT_EQ(pruned[page][size_t(i)], wanted[page][size_t(i)]) << page << ' ' << i;
}

TEST_F(FixationDecode, WithoutVisualTokensToKeepItRuns) {
  for (const Ids& ids : read(options(0), 2, true, 24)) EXPECT_EQ(ids.size(), 40u);
  EXPECT_LT(counts_.visual_keys, counts_.all_visual_keys);
}

TEST_F(FixationDecode, AGuardOnEveryTokenIsPlainDecoding) {
  FixationOptions guarded = options(0.05);
  guarded.guard = 1e6;
  for (uint32_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(read(guarded, seed, seed > 0, 24), all_plain()) << seed;
    EXPECT_GT(counts_.pruned_passes, 0);
    EXPECT_GE(counts_.guarded_passes, counts_.pruned_passes);
  }
}

TEST_F(FixationDecode, AGuardOnSomeTokensRunsSomePassesAgain) {
  FixationOptions guarded = options(0.05);
  guarded.guard = 0.5;
  read(guarded, 1, true, 24);
  EXPECT_GT(counts_.guarded_passes, 0);
  EXPECT_LT(counts_.guarded_passes, counts_.pruned_passes);
}

TEST_F(FixationDecode, DoesNotDependOnTheOtherJobsOfABatch) {
  const std::vector<Ids> together = read(options(0.2), 0, false, 1);
  for (int page = 0; page < oracle_.pages(); ++page) {
    std::vector<Job> alone;
    alone.push_back(job(page, generation(1), {}));
    const auto selector = make_fixation_selector(
        options(0.2), {vlm_.language_model().layer_count(), {}, {{visual(page)}}});
    DecodeOptions decoding;
    decoding.cost.fixed = 1;
    decode(vlm_.language_model(), *ops_, *make_exact_verifier(), selector.get(), alone, decoding);
    const auto ids = alone[0].output();
    EXPECT_EQ(Ids(ids.begin(), ids.end()), together[size_t(page)]) << page;
  }
}

}  // namespace
}  // namespace docspec

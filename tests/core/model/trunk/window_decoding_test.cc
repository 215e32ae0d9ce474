// Whole decodes with a reference sliding window, longer than it: the same ids whatever the drafts.
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class WindowDecoding : public RealEngine {
 protected:
  WindowDecoding() : RealEngine("unlimited_ocr/hub_tied") {}
};

TEST_F(WindowDecoding, RandomDraftSetsKeepThePlainIds) {
  for (uint32_t seed = 0; seed < 40; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 100);
}

/// The rule against repeated n-grams acts: it changes the plain ids, and drafts do not change
/// those.
TEST_F(WindowDecoding, RandomDraftSetsKeepTheIdsOfTheRuleInAWindow) {
  Generation ruled = generation(1);
  ruled.processor.no_repeat_ngram_size = 1;
  ruled.processor.no_repeat_ngram_window_size = 6;
  std::vector<Job> alone;
  alone.push_back(job(0, ruled, {}));
  const Ids expected = run(alone, 1)[0];
  EXPECT_NE(expected, plain(0, 1));
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 rng(seed);
    std::vector<Job> drafted;
    drafted.push_back(job(
        0, ruled, random_drafts(rng, expected, plain(0, 1), vlm_.language_model().vocab_size(), 1),
        any_propose(rng)));
    EXPECT_EQ(run(drafted, 8)[0], expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace docspec

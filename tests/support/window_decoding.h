#pragma once

#include "tests/support/real_engine.h"

namespace docspec {

/// Whole decodes with a reference sliding window of 24 tokens, longer than it.
class WindowDecoding : public RealEngine {
 protected:
  WindowDecoding() : RealEngine("unlimited_ocr/hub_tied") {}

  /// The same ids whatever the drafts, under a rule against repeated n-grams in a window. The rule
  /// acts: it changes the plain ids.
  void expect_exact_ids_under_the_rule(uint32_t first, uint32_t end) {
    Generation ruled = generation(1);
    ruled.processor.no_repeat_ngram_size = 1;
    ruled.processor.no_repeat_ngram_window_size = 6;
    std::vector<Job> alone;
    alone.push_back(job(0, ruled, {}));
    const Ids expected = run(alone, 1)[0];
    EXPECT_NE(expected, plain(0, 1));
    for (uint32_t seed = first; seed < end; ++seed) {
      std::mt19937 rng(seed);
      std::vector<Job> drafted;
      drafted.push_back(
          job(0, ruled,
              random_drafts(rng, expected, plain(0, 1), vlm_.language_model().vocab_size(), 1),
              any_propose(rng)));
      EXPECT_EQ(run(drafted, 8)[0], expected) << "seed " << seed;
    }
  }
};

}  // namespace docspec

#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/draft_model/draft_gate.h"
#include "core/decode/draft_model/mtp_session.h"
#include "core/decode/registry.h"
#include "core/decode/sample/generation.h"
#include "core/decode/verify/exact_verifier.h"
#include "core/model/families/registry.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"
#include "tests/support/decode_laws.h"
#include "tests/support/files.h"
#include "tests/support/oracle_case.h"

namespace docspec {

/// A tiny model with random weights that the oracle tests use.
class RealEngine : public ::testing::Test {
 protected:
  explicit RealEngine(const std::string& model = "qwen2_5_vl/hub_tied",
                      const std::string& dtype = "f32", std::unique_ptr<Ops> ops = make_cpu_ops(),
                      const std::string& device = "cpu")
      : oracle_(test::oracle_folder(model)),
        ops_(std::move(ops)),
        vlm_(load_vlm(oracle_.model(),
                      {.dtype = dtype, .device = device, .share = test::share_dir()}, *ops_)) {
    at::set_num_threads(1);  // matrices this small only lose by more, tenfold on a busy machine
  }

  Job job(int page, const Generation& generation, const std::vector<DraftTokens>& drafts,
          const std::string& propose = "window") {
    const PageImage image = oracle_.page(page);
    Ids prompt = vlm_.prompt_ids(&image, oracle_.question());
    const bool predicts = vlm_.mtp_layer() && !drafts.empty();
    Prefilled prefilled = vlm_.prefill_encoded(&seen(page), prompt, predicts);
    LayeredKvCache& cache = *prefilled.cache;
    Job job({page + 1, "page", {}}, prompt, std::move(prefilled.cache), generation.limits,
            generation.processor);
    ProposerInput known{drafts, 1, &vlm_.tokenizer(), nullptr, {}};
    DraftModelInput asked;
    asked.generation = &generations_.emplace_back(generation);
    asked.vocab_size = vlm_.language_model().vocab_size();
    known.draft_model_input = &asked;
    const DraftModel mtp{"mtp",
                         [&](const DraftModelInput& input, std::vector<DraftInput>) {
                           return make_mtp_session(*vlm_.mtp_layer(), cache, prompt,
                                                   prefilled.positions, seen(page).rows, input);
                         },
                         gate_, [](std::string_view why) { ADD_FAILURE() << why; }};
    if (predicts) known.mtp = &mtp;
    if (!drafts.empty())
      for (const Spec& spec : parse_spec_list("--propose", propose, forms(proposers())))
        job.add(make_proposer(spec, known));
    start(job, *ops_, prefilled.logits);
    return job;
  }

  /// A page behind the vision tower; worked out once.
  const VisualRows& seen(int page) {
    const auto [it, fresh] = seen_.try_emplace(page);
    if (fresh) it->second = vlm_.encode_image(oracle_.page(page));
    return it->second;
  }

  std::vector<Ids> run(std::vector<Job>& jobs, size_t rows) {
    DecodeOptions options;
    options.cost.fixed = rows;
    stats_ += decode(vlm_.language_model(), *ops_, *make_exact_verifier(), nullptr, jobs, options);
    std::vector<Ids> out;
    for (const Job& job : jobs) out.emplace_back(job.output().begin(), job.output().end());
    return out;
  }

  /// Plain ids of a page, decoded alone; worked out once.
  const Ids& plain(int page, double penalty) {
    Ids& ids = plain_[{page, penalty}];
    if (ids.empty()) {
      std::vector<Job> alone;
      alone.push_back(job(page, generation(penalty), {}));
      ids = run(alone, 1)[0];
    }
    return ids;
  }

  static Generation generation(double penalty) {
    Generation out;
    out.limits.max_new_tokens = 40;
    out.processor.repetition_penalty = penalty;
    return out;
  }

  /// The exactness law, bits of a real forward: a batch of 1 to 4 jobs with random drafts gives the
  /// ids of each decoded alone without drafts.
  void expect_exact_ids(uint32_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const double penalty = rng() % 2 ? 1.0 : 1.3;
    std::vector<Job> batch;
    std::vector<Ids> expected;
    for (size_t n = 1 + seed % 4; n > 0; --n) {
      const int page = int(rng() % uint64_t(oracle_.pages()));
      expected.push_back(plain(page, penalty));
      batch.push_back(job(page, generation(penalty),
                          random_drafts(rng, expected.back(), plain(0, penalty),
                                        vlm_.language_model().vocab_size(), 1),
                          any_propose(rng)));
    }
    EXPECT_EQ(run(batch, 4 + rng() % 60), expected);
  }

  const test::OracleCase oracle_;
  std::unique_ptr<Ops> ops_;
  Vlm vlm_;
  DecodeStats stats_;
  std::map<int, VisualRows> seen_;
  std::map<std::pair<int, double>, Ids> plain_;
  std::deque<Generation> generations_;  ///< of the jobs whose proposers read them
  /// Its clock counts its readings: which rounds are drafted must not hang on the machine's load.
  DraftGate gate_{[readings = 0.0]() mutable { return ++readings; }};
};

}  // namespace docspec

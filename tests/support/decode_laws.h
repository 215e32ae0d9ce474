#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/decode/decoder.h"
#include "core/decode/propose/window_proposer.h"
#include "tests/support/toy_lm.h"

namespace docspec {

using Ids = std::vector<int32_t>;
/// Makes a proposer over a set of drafts.
using ProposerOf = std::function<std::unique_ptr<Proposer>(std::vector<DraftTokens>)>;
using ProposersOf = std::function<std::vector<std::unique_ptr<Proposer>>(std::vector<DraftTokens>)>;

/// What a test decodes: prompts with the drafts of each, under common limits.
struct ToyCase {
  ToyOptions lm;
  std::vector<Ids> prompts;
  size_t ready = 64;  ///< of them at the start; the others come while the first are decoded
  size_t pages = 1;   ///< they take the prompts in turn, and are read at the same time
  std::vector<std::vector<DraftTokens>> drafts;  ///< per prompt; empty = plain decoding
  JobLimits limits;
  ProcessorSettings processor;
  SamplingSettings sampling;
  DecodeOptions options;
  bool on_kernels = false;  ///< make_kernel_ops: as on a GPU, proposers beside the passes
};

struct ToyResult {
  std::vector<Ids> output;  ///< per job
  std::vector<Ids> cache;   ///< tokens of each cache at the end
  std::vector<DecodeStats> job_stats;
  DecodeStats stats;
};

/// Decodes all prompts, each page's as one batch.
ToyResult run(const ToyCase& toy, const Verifier& verifier, const ProposersOf& make);
ToyResult run(const ToyCase& toy, const Verifier& verifier, const ProposerOf& make);

/// A random set of drafts for a job whose plain output is `truth`: empty, garbage, the truth
/// (whole, cut in regions, edited), another job's output, poisoned ids (outside the vocabulary,
/// negative, stop tokens), any of them several times, in any order.
std::vector<DraftTokens> random_drafts(std::mt19937& rng, const Ids& truth, const Ids& other,
                                       int64_t vocab, int32_t stop);

/// A random case of 1 to 5 jobs: limits, penalties, budgets and stop tokens vary.
ToyCase random_case(std::mt19937& rng);
/// The same at a temperature, cut to top-k and top-p or not.
ToyCase sampled_case(std::mt19937& rng);

/// A "--propose" list: one of the registry's proposers, or all of `auto`.
std::string any_propose(std::mt19937& rng);

/// The proposers of a "--propose" list over each job's drafts, without a tokenizer.
ProposersOf proposers_of(const std::string& propose, int32_t stop);

/// The paper's proposer over each job's drafts.
ProposerOf window_of(const WindowOptions& options);

/// The exactness law on the random case of `seed`: with drafts, with permuted drafts and with each
/// job alone, ids and caches are those of plain decoding. Returns the number of accepted tokens.
int64_t expect_exact(uint32_t seed);
/// The same with the proposers of a "--propose" list.
int64_t expect_exact(uint32_t seed, const std::string& propose);

}  // namespace docspec

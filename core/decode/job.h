#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decode/acceptance_model.h"
#include "core/decode/align/proposer.h"
#include "core/decode/look_ahead.h"
#include "core/decode/sample/generation.h"
#include "core/decode/sample/logit_processor.h"
#include "core/decode/sample/sampling.h"
#include "core/decode/verify/verifier.h"
#include "core/document/decode_stats.h"
#include "core/model/language_model.h"

namespace docspec {

/// Which decode this is, for reports: `{"page":1,"stage":"region","region":7}`. The random numbers
/// of a job follow from it too.
struct JobLabel {
  int page = 0;
  std::string stage;
  std::optional<int> region;
  std::optional<int> part = {};  ///< which part, if the region is read in parts; not reported
};

/// One step, for the trace.
struct TraceStep {
  int64_t rows = 0;
  int64_t accepted = 0;
  int16_t source = -1;  ///< of the last accepted row; -1 = none accepted
};

/// Why a proposed token was rejected: the token of the model, and the margin.
struct Refusal {
  int64_t position = 0;  ///< index in the output
  int32_t proposed = -1;
  int32_t model = -1;     ///< argmax of the model there
  double margin = 0;      ///< log p(model) - log p(proposed)
  double logprob = 0;     ///< log p(proposed)
  int64_t lost_rows = 0;  ///< rows of the pass that were rejected with it, itself included
  int16_t source = -1;
};

/// stop: by a stop token; length: by the token budget; dropped: by Job::drop.
enum class JobEnd { running, stop, length, dropped };

/// An acceptance, truncated at stop tokens and budgets.
struct Step {
  std::vector<int32_t> path;     ///< accepted rows, that of a stop token included
  std::vector<int32_t> emitted;  ///< tokens that join the output
  /// Rows that stay in the cache, one per emitted token: row 0, then the accepted ones. None if the
  /// first token is a stop.
  std::vector<int32_t> kept;
  JobEnd end = JobEnd::running;  ///< whether the job ends with this step
};

/// One decode. At the start the cache holds the prompt; after `start` and after each step it holds
/// all committed tokens (prompt and output) but the pending one, which is the last. The decoder
/// calls for each pass: propose or propose_from_lookahead, prune_tree, the forward (and meanwhile
/// refresh_proposers), truncate_at_stop, cache().commit, save_lookahead, observe, commit.
class Job {
 public:
  /// `cache` holds the prompt: its length is the number of prompt ids, a visual token counted as
  /// one; else throws Error(internal).
  Job(JobLabel label, std::vector<int32_t> prompt_ids, std::unique_ptr<KvCache> cache,
      const JobLimits& limits, const ProcessorSettings& processor = {});

  /// Adds a proposer, which is asked at every step; without any the decode is plain. nullptr =
  /// none.
  void add(std::unique_ptr<Proposer> proposer) {
    if (proposer) proposers_.push_back(std::move(proposer));
  }
  /// Gives all proposers one more draft; call it between two passes.
  void add_draft(const DraftTokens& draft) {
    for (const auto& proposer : proposers_) proposer->add(draft);
    lookahead_.clear();  // proposals with the new draft are better
  }
  /// Shares the acceptance model with other jobs; by default each job has its own. Not nullptr.
  /// Call it before the first `propose`.
  void share(std::shared_ptr<AcceptanceModel> acceptance_model) {
    acceptance_model_ = std::move(acceptance_model);
  }
  void keep_refusals() { keep_refusals_ = true; }
  /// Samples tokens instead of taking the argmax. Call it before `start`.
  void sample(const SamplingSettings& settings) { sampling_ = settings; }

  /// Takes the first token after the prompt; `margin` as in `margins`.
  void start(int32_t first, float margin);
  bool done() const { return end_ != JobEnd::running; }
  /// Ends a running job whose result is no longer needed.
  void drop() {
    if (!done()) end_ = JobEnd::dropped;
  }
  JobEnd end() const { return end_; }

  /// Builds the tree of the next pass: the pending token and the proposals, at most `max_rows`
  /// rows. A candidate ends before an invalid id and after a stop token (before it without
  /// `propose_stop`). If any candidate is sampled, the tree holds sampled ones alone, each as long
  /// as the rows allow.
  const DraftTree& propose(size_t max_rows, int64_t vocab_size, bool propose_stop);
  /// Saves the parts of the proposals that continue after `step`. Call it before `observe`, which
  /// invalidates them.
  void save_lookahead(const Step& step);
  /// Builds the tree of the next pass from the saved look-ahead, without asking the proposers.
  /// Returns false, and changes nothing, if that is not worth a pass. After true, call
  /// `refresh_proposers` before the next `save_lookahead`.
  bool propose_from_lookahead(size_t max_rows);
  /// Asks the proposers as `propose` does, but leaves the tree as it is; for use after
  /// `propose_from_lookahead`, while the pass runs. Does nothing otherwise.
  void refresh_proposers(int64_t vocab_size, bool propose_stop);
  /// Keeps the best `rows` rows of the tree, including the pending token. Sampled chains are kept
  /// whole.
  void prune_tree(size_t rows);
  /// Truncates an acceptance at stop tokens and the token budget. Changes nothing.
  Step truncate_at_stop(const Acceptance& accepted) const;
  /// Reports `step` to statistics, acceptance model, trace and proposers, before it joins the
  /// output. `target`: as in Observation.
  void observe(const Step& step, const TreeStats& stats,
               std::function<Distribution(int32_t row)> target = {});
  /// Appends `step` to the output. The cache must have kept the rows of `step`. Throws
  /// Error(internal) unless it holds exactly the committed tokens without the pending one.
  void commit(const Step& step);

  const JobLabel& label() const { return label_; }
  std::span<const int32_t> prompt_ids() const { return prompt_ids_; }
  std::span<const int32_t> output() const { return output_; }
  KvCache& cache() { return *cache_; }
  /// Frees the cache of a job that has ended, and its proposers, whose draft models have caches of
  /// their own.
  void release() {
    cache_.reset();
    proposers_.clear();
  }
  const DraftTree& tree() const { return *tree_; }
  /// The sampled drafts of the tree; empty if none was sampled.
  std::span<const Chain> chains() const { return chains_; }
  const LogitProcessor& processor() const { return processor_; }
  const SamplingSettings& sampling() const { return sampling_; }
  /// The random source of the next pass (or of the first token): a function of seed, label and
  /// length of the output.
  CounterRandom rng() const { return {sampling_.seed, stream(), int64_t(output_.size())}; }
  /// Identifies the random numbers of this job.
  uint32_t stream() const;
  const DecodeStats& stats() const { return stats_; }
  DecodeStats& stats() { return stats_; }
  /// For each output token, and for the stop token: log-probability of the argmax minus that of the
  /// runner-up.
  std::span<const float> margins() const { return margins_; }
  std::span<const TraceStep> steps() const { return steps_; }
  std::span<const Refusal> refusals() const { return refusals_; }
  /// Name of a source index of steps and refusals.
  std::string_view source(int16_t index) const { return sources_[size_t(index)]; }

 private:
  bool is_stop(int32_t token) const;
  int64_t budget() const { return limits_.max_new_tokens - int64_t(output_.size()); }
  size_t useful_length(const Candidate& candidate, int64_t vocab_size, bool propose_stop) const;
  void add_branch(const Candidate& candidate, size_t length);
  size_t add_chain(const Candidate& drawn, size_t length, size_t vocab);
  int16_t source_index(std::string_view name);
  void note_refusals(std::span<const int32_t> path, const TreeStats& stats);

  JobLabel label_;
  std::vector<int32_t> prompt_ids_, output_;
  std::unique_ptr<KvCache> cache_;
  JobLimits limits_;
  LogitProcessor processor_;
  SamplingSettings sampling_;
  std::vector<std::unique_ptr<Proposer>> proposers_;
  std::shared_ptr<AcceptanceModel> acceptance_model_ = std::make_shared<AcceptanceModel>();
  /// The proposals of the last call that made any: after refresh_proposers not those of the tree.
  std::vector<Branch> branches_;
  std::optional<DraftTree> tree_;
  std::vector<Chain> chains_;  ///< of the last propose
  LookAhead lookahead_;
  bool can_save_lookahead_ = false;  ///< whether the branches may be saved as look-ahead
  bool must_refresh_ = false;        ///< whether the proposers must be asked while the pass runs
  std::vector<std::string> sources_;
  DecodeStats stats_;
  std::vector<float> margins_;
  std::vector<TraceStep> steps_;
  std::vector<Refusal> refusals_;
  bool keep_refusals_ = false;
  JobEnd end_ = JobEnd::running;
};

}  // namespace docspec

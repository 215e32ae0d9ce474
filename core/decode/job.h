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
#include "core/decode/stats.h"
#include "core/decode/verify/verifier.h"
#include "core/model/language_model.h"

namespace docspec {

/// Which decode this is, for reports: `{"page":1,"stage":"region","region":7}`.
struct JobLabel {
  int page = 0;
  std::string stage;
  std::optional<int> region;
};

/// One step of the trace.
struct TraceStep {
  int64_t rows = 0;
  int64_t accepted = 0;
  int16_t source = -1;  ///< of the last accepted row; -1 = none accepted
};

/// Why one proposed token was turned down: what the model said instead, and by how much.
struct Refusal {
  int64_t position = 0;  ///< index in the output
  int32_t proposed = -1;
  int32_t model = -1;     ///< the model's argmax there
  double margin = 0;      ///< log p(model) - log p(proposed)
  double logprob = 0;     ///< log p(proposed)
  int64_t lost_rows = 0;  ///< rows of the pass that went with it, itself included
  int16_t source = -1;
};

enum class JobEnd { running, stop, length, dropped };

/// An acceptance, cut at stop tokens and budgets.
struct Step {
  std::vector<int32_t> path;     ///< accepted rows, that of a stop token included
  std::vector<int32_t> emitted;  ///< tokens that join the output
  std::vector<int32_t> kept;  ///< rows that stay in the cache: row 0 and all but the last emitted
  JobEnd end = JobEnd::running;  ///< whether the job ends with this step
};

/// One decode. It starts with a cache that holds the prompt; after `start` and each step the cache
/// holds all committed tokens (prompt and output) but the last, the pending one.
class Job {
 public:
  /// `cache` is prefilled with the prompt: its length is the number of prompt ids, a visual token
  /// counted as one. Throws Error(internal) when it is not.
  Job(JobLabel label, std::vector<int32_t> prompt_ids, std::unique_ptr<KvCache> cache,
      const JobLimits& limits, const ProcessorSettings& processor = {});

  /// What proposes at every step; none = plain decoding.
  void add(std::unique_ptr<Proposer> proposer) { proposers_.push_back(std::move(proposer)); }
  /// One more draft for all proposers; between two passes.
  void add_draft(const DraftTokens& draft) {
    for (const auto& proposer : proposers_) proposer->add(draft);
    lookahead_.clear();  // they have more to say now
  }
  /// Learns in common with other jobs; by default alone. Not nullptr.
  void share(std::shared_ptr<AcceptanceModel> acceptance_model) {
    acceptance_model_ = std::move(acceptance_model);
  }
  void keep_refusals() { keep_refusals_ = true; }
  /// Draws tokens instead of taking the argmax; before `start`.
  void sample(const SamplingSettings& settings) { sampling_ = settings; }

  /// Takes the first token, after the prompt; the model's best one is `margin` above the runner-up.
  void start(int32_t first, float margin);
  bool done() const { return end_ != JobEnd::running; }
  /// Ends a running job: nobody waits for it any more.
  void drop() {
    if (!done()) end_ = JobEnd::dropped;
  }
  JobEnd end() const { return end_; }

  /// Makes the tree of the next pass: the pending token and what the proposers suggest, at most
  /// `max_rows` rows. Candidates end before invalid ids and after stop tokens (before them without
  /// `propose_stop`). Sampled candidates get the tree to themselves, each whole as far as the rows
  /// reach.
  const DraftTree& propose(size_t max_rows, int64_t vocab_size, bool propose_stop);
  /// Keeps what the proposals say beyond `step`. Call it before `observe`, which ends their life.
  void save_lookahead(const Step& step);
  /// Makes the tree of the next pass from what `save_lookahead` kept, without asking the proposers.
  /// Returns false, and changes nothing, if that is not worth a pass. Call `refresh_proposers`
  /// before the next `save_lookahead`.
  bool propose_from_lookahead(size_t max_rows);
  /// Asks the proposers after `propose_from_lookahead`, as `propose` would have, without changing
  /// the tree. Does nothing otherwise.
  void refresh_proposers(int64_t vocab_size, bool propose_stop);
  /// Keeps the tree's best `rows` rows, the pending token included. Sampled chains are kept whole.
  void prune_tree(size_t rows);
  /// Truncates an acceptance at stop tokens and the token budget. Changes nothing.
  Step truncate_at_stop(const Acceptance& taken) const;
  /// Reports `step` to statistics and proposers, before it joins the output. `target`: as in
  /// Observation.
  void observe(const Step& step, const TreeStats& stats,
               std::function<Distribution(int32_t row)> target = {});
  /// Adds `step` to the output. The cache must have kept the rows of `step`; throws Error(internal)
  /// where it holds anything but all committed tokens without the pending one.
  void commit(const Step& step);

  const JobLabel& label() const { return label_; }
  std::span<const int32_t> prompt_ids() const { return prompt_ids_; }
  std::span<const int32_t> output() const { return output_; }
  KvCache& cache() { return *cache_; }
  /// Frees the cache of a job that has ended; it cannot be asked for any more.
  void release_cache() {
    cache_.reset();
    proposers_.clear();  // a draft model has caches of its own
  }
  const DraftTree& tree() const { return *tree_; }
  /// The drafts of the tree that were drawn; empty where none was.
  std::span<const Chain> chains() const { return chains_; }
  const LogitProcessor& processor() const { return processor_; }
  const SamplingSettings& sampling() const { return sampling_; }
  /// The chance of the next pass (or of the first token): a function of seed, label and length of
  /// the output.
  CounterRandom rng() const { return {sampling_.seed, stream(), int64_t(output_.size())}; }
  /// Tells this job's chance from that of others.
  uint32_t stream() const;
  const DecodeStats& stats() const { return stats_; }
  DecodeStats& stats() { return stats_; }
  /// By how much (log p) the model preferred its argmax to the runner-up where each output token
  /// was decided, the stop token's place included.
  std::span<const float> margins() const { return margins_; }
  std::span<const TraceStep> steps() const { return steps_; }
  std::span<const Refusal> refusals() const { return refusals_; }
  /// Name of a source index of steps and refusals.
  std::string_view source(int16_t index) const { return sources_[size_t(index)]; }

 private:
  bool is_stop(int32_t token) const;
  int64_t budget() const { return limits_.max_new_tokens - int64_t(output_.size()); }
  size_t useful(const Candidate& candidate, int64_t vocab_size, bool propose_stop) const;
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
  std::vector<Branch> branches_;  ///< of the last propose
  std::optional<DraftTree> tree_;
  std::vector<Chain> chains_;  ///< of the last propose
  LookAhead lookahead_;
  bool lookahead_valid_ = false;  ///< whether the branches may be saved as look-ahead
  bool proposers_stale_ = false;  ///< whether the proposers have not been asked for this pass
  std::vector<std::string> sources_;
  DecodeStats stats_;
  std::vector<float> margins_;
  std::vector<TraceStep> steps_;
  std::vector<Refusal> refusals_;
  bool keep_refusals_ = false;
  JobEnd end_ = JobEnd::running;
};

}  // namespace docspec

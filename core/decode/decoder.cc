#include "core/decode/decoder.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/decode/verify_batch.h"

namespace docspec {
namespace {

std::vector<size_t> running_jobs(std::span<const Job> jobs, size_t max_batch) {
  std::vector<size_t> live;
  for (size_t i = 0; i < jobs.size() && live.size() < max_batch; ++i)
    if (!jobs[i].done()) live.push_back(i);
  return live;
}

void require_start(const Job& job) {
  if (!job.done() && job.output().empty())
    throw Error(ExitCode::internal, "decode: a job has no first token; call docspec::start");
}

/// Indices of the jobs of the next pass; tells the page's slot how many they are. Takes up to
/// max_joining more if there is room. Throws Error(internal) for a job that was not started.
std::vector<size_t> jobs_of_next_pass(std::vector<Job>& jobs, const DecodeOptions& options,
                                      BatchSlot& slot) {
  const size_t most = std::min(options.max_batch, slot.max_jobs());
  std::vector<size_t> live = running_jobs(jobs, most);
  for (size_t joined = 0; live.size() < most && options.next_job;) {
    std::optional<Job> next = options.next_job();
    if (!next) break;
    require_start(*next);
    jobs.push_back(std::move(*next));
    live = running_jobs(jobs, most);
    if (!live.empty() && ++joined >= options.max_joining) break;
  }
  slot.set_jobs(live.size());
  return live;
}

/// Builds the tree of each job, as large as a pass over `all_jobs` jobs allows. `lookahead`: a
/// job uses the look-ahead of the last pass where that is worth it.
std::vector<const DraftTree*> build_trees(std::span<Job> jobs, std::span<const size_t> live,
                                          size_t all_jobs, const CostCurve& cost,
                                          int64_t vocab_size, bool propose_stop, bool lookahead) {
  std::vector<const DraftTree*> trees;
  for (const size_t i : live) {
    const size_t most = cost.most_rows(all_jobs);
    if (!lookahead || !jobs[i].propose_from_lookahead(most))
      jobs[i].propose(most, vocab_size, propose_stop);
    trees.push_back(&jobs[i].tree());
  }
  return trees;
}

PackedBatch pack(std::span<Job> jobs, std::vector<size_t> live) {
  PackedBatch packed;
  packed.live = std::move(live);
  packed.visual_stats.resize(packed.live.size());
  for (const size_t i : packed.live) {
    const DraftTree& tree = jobs[i].tree();
    const auto first = int32_t(packed.token.size());
    packed.first.push_back(size_t(first));
    packed.token.insert(packed.token.end(), tree.token().begin(), tree.token().end());
    for (const int32_t parent : tree.parent())
      packed.parent.push_back(parent < 0 ? -1 : first + parent);
    packed.pass.push_back({&tree, &jobs[i].cache()});
  }
  return packed;
}

void set_fixations(PackedBatch& packed, std::span<const Job> jobs, FocalSelector& selector) {
  for (size_t k = 0; k < packed.live.size(); ++k) {
    packed.pass[k].fixation = selector.fixation(packed.live[k], jobs[packed.live[k]].output());
    packed.pass[k].visual_stats = &packed.visual_stats[k];
  }
}

/// The result of a pass. The rows of its k-th job begin at row PackedBatch::first[k].
struct VerificationResult {
  RowStats rows;
  std::vector<Acceptance> accepted;
  at::Tensor logits;  // [packed rows, vocab] f32, device, after the logit processors
};

Task<VerificationResult> run_pass(BatchSlot& slot, const Ops& ops, const Verifier& verifier,
                                  std::span<Job> jobs, const PackedBatch& packed,
                                  const ForwardOptions& options, DecodeStats& stats) {
  BatchOutput output = co_await slot.forward(packed.pass, options);
  stats.phase_ms["forward"] += output.ms;
  stats.forwards += output.forwards;
  at::Tensor logits = std::move(output.logits);  // [packed rows, vocab] f32, device
  if (ops.asynchronous()) {
    const PhaseTimer timer(stats, "propose concurrently");
    for (const size_t i : packed.live)
      jobs[i].refresh_proposers(slot.lm().vocab_size(), verifier.exact());
  }
  // On an asynchronous device the forward ends when its statistics arrive, so the wait for them
  // counts as forward.
  std::optional<PhaseTimer> timer;
  timer.emplace(stats, ops.asynchronous() ? "forward" : "verify");
  for (size_t k = 0; k < packed.live.size(); ++k)
    jobs[packed.live[k]].processor().apply(logits, int64_t(packed.first[k]), *packed.pass[k].tree);
  VerificationResult result{ops.row_stats(logits, packed.token, packed.parent), {}, logits};
  timer.emplace(stats, "verify");
  result.accepted = verify_batch(ops, verifier, jobs, packed, result.rows, logits);
  co_return result;
}

/// Whether a token that the pass emits, the bonus token included, was less than `guard` (in logits)
/// above the runner-up.
bool low_margin(const Acceptance& accepted, const TreeStats& stats, double guard) {
  const auto close = [&](int32_t row) {
    const size_t r = stats.first + size_t(row);
    return stats.rows->top_logit[r] - stats.rows->second_logit[r] < guard;
  };
  return close(0) || std::any_of(accepted.path.begin(), accepted.path.end(), close);
}

/// Runs low-margin jobs with a fixation again with full attention. The results replace those in
/// `result`.
Task<void> verify_again(BatchSlot& slot, const Ops& ops, const Verifier& verifier,
                        std::span<Job> jobs, const PackedBatch& packed, double guard,
                        const ForwardOptions& options, DecodeStats& stats,
                        VerificationResult& result) {
  std::vector<size_t> which, live;
  for (size_t k = 0; k < packed.live.size(); ++k)
    if (packed.pass[k].fixation &&
        low_margin(result.accepted[k], {&result.rows, packed.first[k]}, guard)) {
      which.push_back(k);
      live.push_back(packed.live[k]);
    }
  if (live.empty()) co_return;
  result.logits = result.logits.clone();  // they are valid until the next forward
  const PackedBatch again = pack(jobs, std::move(live));
  VerificationResult full = co_await run_pass(slot, ops, verifier, jobs, again, options, stats);
  for (size_t i = 0; i < which.size(); ++i) {
    const size_t k = which[i], rows = packed.pass[k].tree->rows();
    const auto replace = [&](auto RowStats::*field) {
      std::copy_n((full.rows.*field).begin() + std::ptrdiff_t(again.first[i]), rows,
                  (result.rows.*field).begin() + std::ptrdiff_t(packed.first[k]));
    };
    replace(&RowStats::argmax);
    replace(&RowStats::top_logit);
    replace(&RowStats::second_logit);
    replace(&RowStats::logsumexp);
    replace(&RowStats::own_logit);
    replace(&RowStats::path_position);
    result.logits.narrow(0, int64_t(packed.first[k]), int64_t(rows))
        .copy_(full.logits.narrow(0, int64_t(again.first[i]), int64_t(rows)));
    result.accepted[k] = std::move(full.accepted[i]);
    ++jobs[packed.live[k]].stats().guarded_passes;
  }
}

/// Adds the visual rows that a pass with a fixation saw.
void count(const VisualAttentionStats& seen, DecodeStats& stats) {
  stats.pruned_passes += seen.keys < seen.all_keys;
  stats.visual_keys += seen.keys;
  stats.all_visual_keys += seen.all_keys;
  stats.attention_flops += seen.flops;
  stats.full_attention_flops += seen.all_flops;
}

/// Applies an acceptance to a job, in the only safe order (algorithms.md 6.2, steps 6 to 12). The
/// output is truncated before any state changes, so that ids and cache stay in step. The cache is
/// committed before the selector is told, because its rows move. The look-ahead is saved before the
/// proposers observe the step, which ends their candidates. No surplus token reaches them, and a
/// stop token only as a row of the path. Returns the number of tokens that join the output.
size_t advance(Job& job, size_t index, const Acceptance& accepted, const TreeStats& stats,
               const at::Tensor& logits, const SequenceInput& pass, FocalSelector* selector,
               bool lookahead) {
  const Step step = job.truncate_at_stop(accepted);
  job.cache().commit(step.kept);
  if (pass.fixation) {
    selector->committed(index, step.kept, *pass.visual_stats);
    count(*pass.visual_stats, job.stats());
  }
  if (lookahead) job.save_lookahead(step);
  job.observe(step, stats, [&](int32_t row) {
    return distribution_of(logits, stats.first + size_t(row), distributions_of(job.sampling()));
  });
  job.commit(step);
  return step.emitted.size();
}

}  // namespace

void start(Job& job, const Ops& ops, at::Tensor& logits) {
  const DraftTree root_only(0);  // the token of its row is not read
  job.processor().apply(logits, 0, root_only);
  const RowStats rows = ops.row_stats(logits, root_only.token(), root_only.parent());
  const int32_t first = job.sampling().on() ? first_draw(ops, job, logits) : rows.argmax[0];
  job.start(first, rows.top_logit[0] - rows.second_logit[0]);
}

Task<DecodeStats> decode(BatchSlot& slot, const Ops& ops, const Verifier& verifier,
                         FocalSelector* selector, std::vector<Job>& jobs,
                         const DecodeOptions& options) {
  DecodeStats stats;
  std::ranges::for_each(jobs, require_start);

  for (auto live = jobs_of_next_pass(jobs, options, slot); !live.empty();
       live = jobs_of_next_pass(jobs, options, slot)) {
    std::vector<const DraftTree*> trees;
    {
      const PhaseTimer timer(stats, "propose");
      trees = build_trees(jobs, live, slot.all_jobs(), options.cost, slot.lm().vocab_size(),
                          verifier.exact(), ops.asynchronous());
    }
    const std::vector<size_t> rows = co_await slot.rows(options.cost, trees);
    PackedBatch packed;
    {
      const PhaseTimer timer(stats, "propose");
      for (size_t k = 0; k < live.size(); ++k) jobs[live[k]].prune_tree(rows[k]);
      packed = pack(jobs, std::move(live));
      if (selector) set_fixations(packed, jobs, *selector);
    }
    if (options.before_pass) options.before_pass();
    VerificationResult result =
        co_await run_pass(slot, ops, verifier, jobs, packed, options.pass, stats);
    if (selector && selector->guard() > 0)
      co_await verify_again(slot, ops, verifier, jobs, packed, selector->guard(), options.pass,
                            stats, result);
    const PhaseTimer timer(stats, "commit");
    size_t emitted = 0;
    for (size_t k = 0; k < packed.live.size(); ++k)
      emitted += advance(jobs[packed.live[k]], packed.live[k], result.accepted[k],
                         {&result.rows, packed.first[k]}, result.logits, packed.pass[k], selector,
                         ops.asynchronous());
    if (options.on_tokens) options.on_tokens(emitted);
    if (options.on_end)
      for (const size_t i : packed.live)
        if (jobs[i].done()) options.on_end(i);
  }
  for (const Job& job : jobs) stats += job.stats();
  co_return stats;
}

DecodeStats decode(const LanguageModel& lm, const Ops& ops, const Verifier& verifier,
                   FocalSelector* selector, std::vector<Job>& jobs, const DecodeOptions& options) {
  BatchScheduler scheduler(lm, 1, options.max_batch);
  BatchSlot slot(scheduler);
  return decode(slot, ops, verifier, selector, jobs, options).run();
}

}  // namespace docspec

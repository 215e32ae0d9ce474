#include "core/decode/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"

namespace docspec {

Job::Job(JobLabel label, std::vector<int32_t> prompt_ids, std::unique_ptr<KvCache> cache,
         const JobLimits& limits, const ProcessorSettings& processor)
    : label_(std::move(label)),
      prompt_ids_(std::move(prompt_ids)),
      cache_(std::move(cache)),
      limits_(limits),
      processor_(processor) {
  if (cache_->length() != int64_t(prompt_ids_.size()))
    throw Error(ExitCode::internal, fmt::format("page {}: cache holds {} rows after a prompt of {}",
                                                label_.page, cache_->length(), prompt_ids_.size()));
  processor_.commit(prompt_ids_);
  stats_.decodes = 1;
  stats_.prompt_tokens = int64_t(prompt_ids_.size());
  if (limits_.max_new_tokens <= 0) end_ = JobEnd::length;
}

bool Job::is_stop(int32_t token) const {
  return std::find(limits_.stop_ids.begin(), limits_.stop_ids.end(), token) !=
         limits_.stop_ids.end();
}

uint32_t Job::stream() const {
  uint32_t stream = 2166136261u;  // FNV-1a
  const auto mix = [&](uint32_t value) { stream = (stream ^ value) * 16777619u; };
  mix(uint32_t(label_.page));
  for (const char c : label_.stage) mix(uint8_t(c));
  mix(uint32_t(label_.region.value_or(-1)));
  if (label_.part) mix(uint32_t(*label_.part));
  return stream;
}

int16_t Job::source_index(std::string_view name) {
  size_t index = 0;
  while (index < sources_.size() && sources_[index] != name) ++index;
  if (index == sources_.size()) sources_.emplace_back(name);
  return int16_t(index);
}

void Job::start(int32_t first, float margin) {
  if (done()) return;
  margins_ = {margin};
  if (is_stop(first)) {
    end_ = JobEnd::stop;
    return;
  }
  output_ = {first};
  processor_.commit(output_);
  stats_.output_tokens = 1;
  if (budget() == 0) end_ = JobEnd::length;
}

/// Number of tokens of a candidate that may join the tree. The bonus token needs the last place of
/// the budget.
size_t Job::useful_length(const Candidate& candidate, int64_t vocab_size, bool propose_stop) const {
  const size_t room = std::min(candidate.tokens.size(), size_t(budget() - 1));
  size_t length = 0;
  while (length < room) {
    const int32_t id = candidate.tokens[length];
    const bool stop = is_stop(id);
    if (id < 0 || id >= vocab_size || (stop && !propose_stop)) break;
    ++length;
    if (stop) break;
  }
  return length;
}

void Job::add_branch(const Candidate& candidate, size_t length) {
  branches_.push_back({candidate.tokens.first(length), source_index(candidate.source),
                       acceptance_model_->arm(candidate.rule, candidate.source),
                       candidate.match_length, candidate.score});
}

const DraftTree& Job::propose(size_t max_rows, int64_t vocab_size, bool propose_stop) {
  branches_.clear();
  chains_.clear();
  tree_.emplace(output_.back());
  // Sampled candidates go straight into the tree. A token that two of them share is one row of the
  // tree and counts as two here. Branches are collected in any case: the acceptance model learns
  // from them.
  size_t left = std::max<size_t>(max_rows, 1) - 1;
  for (const auto& proposer : proposers_) {
    for (const Candidate& candidate : proposer->propose(output_)) {
      const size_t length = useful_length(candidate, vocab_size, propose_stop);
      if (length == 0) continue;
      if (candidate.distributions.empty())
        add_branch(candidate, length);
      else
        left -= add_chain(candidate, std::min(length, left), size_t(vocab_size));
    }
  }
  if (chains_.empty())
    tree_ =
        build_tree(output_.back(), branches_, *acceptance_model_, std::max<size_t>(max_rows, 1));
  can_save_lookahead_ =
      chains_.empty() && std::all_of(proposers_.begin(), proposers_.end(),
                                     [](const auto& one) { return one->can_run_concurrently(); });
  return *tree_;
}

void Job::save_lookahead(const Step& step) {
  lookahead_.save(
      can_save_lookahead_ ? std::span<const Branch>(branches_) : std::span<const Branch>(),
      step.emitted);
}

bool Job::propose_from_lookahead(size_t max_rows) {
  if (!lookahead_.worthwhile([this](int32_t token) { return is_stop(token); })) return false;
  branches_ = lookahead_.take();
  tree_ = build_tree(output_.back(), branches_, *acceptance_model_, std::max<size_t>(max_rows, 1));
  must_refresh_ = true;
  return true;
}

void Job::refresh_proposers(int64_t vocab_size, bool propose_stop) {
  if (!std::exchange(must_refresh_, false)) return;
  branches_.clear();
  for (const auto& proposer : proposers_)
    for (const Candidate& candidate : proposer->propose(output_)) {
      const size_t length = useful_length(candidate, vocab_size, propose_stop);
      can_save_lookahead_ =
          can_save_lookahead_ &&
          candidate.distributions.empty();  // sampled tokens have the tree to themselves
      if (length > 0 && candidate.distributions.empty()) add_branch(candidate, length);
    }
}

/// Only the budgets of rows and tokens may shorten a chain, and a stop token end it: a cut that
/// depends on the values of other tokens would change their distribution.
size_t Job::add_chain(const Candidate& drawn, size_t length, size_t vocab) {
  if (length == 0) return 0;
  for (size_t i = 0; i < length; ++i)
    if (i >= drawn.distributions.size() ||
        (!drawn.distributions[i].empty() && drawn.distributions[i].size() != vocab))
      throw Error(ExitCode::internal,
                  "a sampled draft must come with its distributions over the vocabulary");
  chains_.push_back(
      {tree_->insert(drawn.tokens.first(length), source_index(drawn.source), 1,
                     std::numeric_limits<size_t>::max()),
       {drawn.distributions.begin(), drawn.distributions.begin() + std::ptrdiff_t(length)}});
  return length;
}

void Job::prune_tree(size_t rows) {
  if (!chains_.empty()) return;  // a number of rows by score would depend on the sampled tokens
  stats_.declined_passes += tree_->rows() > 1 && rows <= 1;
  tree_->truncate(rows);
}

Step Job::truncate_at_stop(const Acceptance& accepted) const {
  Step step;
  const auto room = size_t(budget());
  step.kept = {0};
  for (size_t i = 0; i <= accepted.path.size() && step.emitted.size() < room; ++i) {
    const bool bonus = i == accepted.path.size();
    const int32_t token = bonus ? accepted.bonus : tree_->token()[accepted.path[i]];
    if (!bonus) step.path.push_back(accepted.path[i]);
    if (is_stop(token)) {
      step.end = JobEnd::stop;
      break;
    }
    step.emitted.push_back(token);
    if (!bonus) step.kept.push_back(accepted.path[i]);
  }
  if (step.end == JobEnd::running && step.emitted.size() == room) step.end = JobEnd::length;
  // The last emitted token is not in the cache yet: as many rows as tokens, row 0 included. A stop
  // token and its row are never kept.
  step.kept.resize(step.emitted.size());
  return step;
}

void Job::observe(const Step& step, const TreeStats& stats,
                  std::function<Distribution(int32_t row)> target) {
  const int64_t rows = int64_t(tree_->rows()), accepted = int64_t(step.path.size());
  const size_t decided = step.emitted.size() + (step.end == JobEnd::stop);
  stats_.passes += 1;
  stats_.tree_passes += rows > 1;
  stats_.empty_passes += accepted == 0;
  ++stats_.run_lengths[accepted];
  stats_.rows += rows;
  stats_.accepted += accepted;
  stats_.emitted += int64_t(decided);
  for (int64_t row = 1; row < rows; ++row)
    ++stats_.by_source[sources_[size_t(tree_->source()[row])]].proposed;
  for (const int32_t row : step.path)
    ++stats_.by_source[sources_[size_t(tree_->source()[row])]].accepted;
  for (size_t i = 0; i < decided; ++i) {
    const int32_t row = i == 0 ? 0 : step.path[i - 1];
    margins_.push_back(float(stats.top_logprob(row) - stats.second_logprob(row)));
  }
  steps_.push_back(
      {rows, accepted, step.path.empty() ? int16_t(-1) : tree_->source()[step.path.back()]});
  if (keep_refusals_) note_refusals(step.path, stats);
  for (const Branch& branch : branches_) acceptance_model_->learn(branch, step.emitted);
  const Observation seen{*tree_, stats, step.path, step.emitted, std::move(target)};
  for (const auto& proposer : proposers_) proposer->observe(seen);
}

void Job::commit(const Step& step) {
  output_.insert(output_.end(), step.emitted.begin(), step.emitted.end());
  processor_.commit(step.emitted);
  stats_.output_tokens = int64_t(output_.size());
  end_ = step.end;
  const int64_t committed = int64_t(prompt_ids_.size() + output_.size());
  if (cache_->length() != committed - 1)
    throw Error(ExitCode::internal,
                fmt::format("page {}: cache holds {} rows for {} committed tokens", label_.page,
                            cache_->length(), committed));
}

void Job::note_refusals(std::span<const int32_t> path, const TreeStats& stats) {
  std::vector<int64_t> size(tree_->rows(), 1);
  for (size_t row = tree_->rows(); row-- > 1;) size[tree_->parent()[row]] += size[row];
  for (size_t i = 0; i <= path.size(); ++i) {
    const int32_t at = i == 0 ? 0 : path[i - 1];
    for (int32_t row = at + 1; row < int32_t(tree_->rows()); ++row) {
      if (tree_->parent()[row] != at || (i < path.size() && row == path[i])) continue;
      const double own = stats.child_logprob(row, at);
      refusals_.push_back({int64_t(output_.size() + i), tree_->token()[row], stats.argmax(at),
                           stats.top_logprob(at) - own, own, size[row], tree_->source()[row]});
    }
  }
}

}  // namespace docspec

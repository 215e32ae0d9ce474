#include "core/model/trunk/attention_views.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace docspec {
namespace {

int64_t visual_rows(const SequenceRows& job) {
  return job.cache->visual_end - job.cache->visual_begin;
}

/// Committed slots without the visual rows that are not in `visual`.
Slots slots_with(const LayeredKvCache& cache, std::span<const int32_t> visual) {
  Slots slots(size_t(cache.visual_begin));
  std::iota(slots.begin(), slots.end(), 0);
  for (const int32_t row : visual) slots.push_back(cache.visual_begin + row);
  for (int64_t slot = cache.visual_end; slot < cache.length(); ++slot) slots.push_back(slot);
  return slots;
}

/// The slots before itself that `row` of a tree with a window sees: of the committed `slots` and
/// its ancestors the prompt's and those less than the window away along its path.
Slots seen_by(const SequenceRows& job, const Slots& slots, int32_t row) {
  const AttentionRows& tree = job.attention;
  const auto place = [&](int32_t r) { return tree.prefix + tree.depth[size_t(r)]; };
  const int64_t first = place(row) - job.window + 1;
  const auto sees = [&](int64_t at) { return at < job.cache->prompt_end || at >= first; };
  Slots out;
  std::copy_if(slots.begin(), slots.end(), std::back_inserter(out), sees);
  const auto committed = ptrdiff_t(out.size());
  for (int32_t r = tree.parent[size_t(row)]; r >= 0; r = tree.parent[size_t(r)])
    if (sees(place(r))) out.push_back(tree.prefix + r);
  std::reverse(out.begin() + committed, out.end());
  return out;
}

/// The slots of all rows, in common or, with a window, of each.
std::vector<Slots> seen_by_all(const SequenceRows& job, Slots slots) {
  if (job.window == 0) return {std::move(slots)};
  std::vector<Slots> out;
  for (size_t row = 0; row < job.attention.parent.size(); ++row)
    out.push_back(seen_by(job, slots, int32_t(row)));
  return out;
}

/// How many visual rows are among the slots.
int64_t visual_among(const LayeredKvCache& cache, const Slots& slots) {
  const auto before = [&](int64_t slot) {
    return std::lower_bound(slots.begin(), slots.end(), slot);
  };
  return before(cache.visual_end) - before(cache.visual_begin);
}

std::vector<int32_t> merged(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::vector<int32_t> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

/// The `keep` rows most looked at by each row of the tree, sorted. weights: [rows, visual].
std::vector<std::vector<int32_t>> most_seen(const Ops& ops, const at::Tensor& weights,
                                            int64_t keep) {
  const int64_t k = std::min(keep, weights.size(1));
  std::vector<std::vector<int32_t>> out(size_t(weights.size(0)));
  if (k == 0) return out;
  const at::Tensor top = ops.top_k(weights, k).to(at::kCPU).contiguous();
  const auto* index = top.const_data_ptr<int64_t>();
  for (std::vector<int32_t>& row : out) {
    row.assign(index, index + k);
    index += k;
  }
  return out;
}

}  // namespace

AttentionViews::AttentionViews(const Ops& ops, std::span<const SequenceRows> jobs,
                               const BatchLayout& shape, const at::Tensor& like)
    : ops_(ops), jobs_(jobs), shape_(shape), like_(like), sets_(jobs.size()) {
  size_t most = 0;
  for (const SequenceRows& job : jobs) most = std::max(most, job.attention.parent.size());
  roots_.assign(most, -1);
  zeros_.assign(most, 0);
  for (size_t j = 0; j < jobs.size(); ++j) rows_.push_back(rows_of(jobs[j], sets_[j]));
  full_ = ops.plan(rows_, shape, like);
  weights_.ranges.resize(jobs.size());
  for (const SequenceRows& job : jobs)
    if (job.fixation)
      *job.visual_stats = {job.attention.parent.size(),
                           {},
                           std::vector<std::vector<float>>(job.fixation->layers.size())};
}

/// A job's rows, which see all slots that they may. Rows with a window are roots: the slots of each
/// name its ancestors too, since not all of these are seen.
AttentionRows AttentionViews::rows_of(const SequenceRows& job, Sets& sets) {
  AttentionRows out = job.attention;
  out.pages = job.cache->pages();
  if (job.window == 0) return out;
  Slots slots(size_t(job.cache->length()));
  std::iota(slots.begin(), slots.end(), 0);
  sets.all = seen_by_all(job, std::move(slots));
  out.parent = std::span(roots_).first(sets.all.size());
  out.depth = std::span(zeros_).first(sets.all.size());
  out.slots = sets.all;
  out.apart = true;
  return out;
}

/// The slots of the layer's view, which becomes the job's set `now`.
std::span<const Slots> AttentionViews::select_keys(const SequenceRows& job, const LayerView& view,
                                                   Sets& sets) {
  sets.now = 0;
  if (view.all) return sets.all;
  if (!view.rows) {
    sets.now = sets.chosen_number;
    return sets.chosen;
  }
  if (view.rows != sets.given) {
    sets.given = view.rows;
    sets.of_given =
        seen_by_all(job, slots_with(*job.cache, merged(*view.rows, job.fixation->joined)));
    sets.given_number = ++numbers_;
  }
  sets.now = sets.given_number;
  return sets.of_given;
}

void AttentionViews::enter(size_t layer) {
  wants_weights_ = false;
  std::vector<int> wanted(jobs_.size(), 0);
  for (size_t j = 0; j < jobs_.size(); ++j) {
    const SequenceRows& job = jobs_[j];
    weights_.ranges[j] = {};
    if (!job.fixation) continue;
    const LayerView& view = job.fixation->layers[layer];
    const std::span<const Slots> slots = select_keys(job, view, sets_[j]);
    wanted[j] = sets_[j].now;
    int64_t seen = 0;  // visual rows, of all rows of the tree
    const auto rows = int64_t(job.attention.parent.size());
    for (int64_t row = 0; row < rows; ++row)
      seen += slots.empty() ? visual_rows(job)
                            : visual_among(*job.cache, slots[slots.size() > 1 ? size_t(row) : 0]);
    job.visual_stats->keys += seen;
    job.visual_stats->all_keys += rows * visual_rows(job);
    const bool alike = view.all || slots.size() <= 1 || sets_[j].now == sets_[j].given_number;
    if ((view.record_weights || view.choose) && alike) {
      const int64_t begin = job.cache->visual_begin;
      weights_.ranges[j] = {begin, begin + seen / rows};
      wants_weights_ |= seen > 0;
    }
    rows_[j].slots = slots;
  }
  narrowed_ = std::any_of(wanted.begin(), wanted.end(), [](int set) { return set != 0; });
  if (!narrowed_ || wanted == planned_) return;
  narrow_ = ops_.plan(rows_, shape_, like_);
  planned_ = std::move(wanted);
}

void AttentionViews::leave(size_t layer) {
  if (!wants_weights_) return;
  for (size_t j = 0; j < jobs_.size(); ++j) {
    const at::Tensor& weights = weights_.weights[j];
    if (!weights.defined()) continue;
    const SequenceRows& job = jobs_[j];
    const LayerView& view = job.fixation->layers[layer];
    if (view.record_weights) {
      const at::Tensor host = weights.to(at::kCPU).contiguous();
      const auto* data = host.const_data_ptr<float>();
      job.visual_stats->weights[layer].assign(data, data + host.numel());
    }
    if (view.choose) choose(job, weights, sets_[j]);
  }
}

void AttentionViews::choose(const SequenceRows& job, const at::Tensor& weights, Sets& sets) {
  const Fixation& fixation = *job.fixation;
  job.visual_stats->chosen = most_seen(ops_, weights, fixation.keep);
  sets.chosen.clear();
  sets.chosen_number = ++numbers_;
  if (fixation.each) {
    for (size_t row = 0; row < job.visual_stats->chosen.size(); ++row) {
      Slots slots = slots_with(*job.cache, merged(job.visual_stats->chosen[row], fixation.joined));
      if (job.window > 0) slots = seen_by(job, slots, int32_t(row));
      sets.chosen.push_back(std::move(slots));
    }
    return;
  }
  std::vector<int32_t> all = fixation.joined;
  for (const std::vector<int32_t>& row : job.visual_stats->chosen) all = merged(all, row);
  sets.chosen = seen_by_all(job, slots_with(*job.cache, all));
}

}  // namespace docspec

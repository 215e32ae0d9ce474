// Baselines of the fixation bench: policies that choose once and never see again what they left,
// and the parts of fixation by themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/decode/prune/fixation_selector.h"
#include "core/decode/prune/visual_shares.h"

namespace docspec {

inline std::vector<int32_t> largest_of(std::vector<double> values, int64_t k) {
  std::vector<int32_t> index(values.size());
  std::iota(index.begin(), index.end(), 0);
  std::stable_sort(index.begin(), index.end(),
                   [&](int32_t a, int32_t b) { return values[size_t(a)] > values[size_t(b)]; });
  index.resize(std::min(index.size(), size_t(k)));
  std::sort(index.begin(), index.end());
  return index;
}

/// FastV as a view: layers up to `full` see everything; the others what that layer looked at most
/// in the first decoding step, for good. (The published one ranks by the prompt's last token.)
class FastV : public FocalSelector {
 public:
  FastV(double keep, size_t full, const SelectorInput& input) : full_(full) {
    for (const SelectorJob& job : input.jobs) {
      states_.push_back({kept_rows(keep, job.visual), {}, {}, {}});
      states_.back().first.layers.resize(size_t(input.layers));
      states_.back().first.layers[full - 1].record_weights = true;
    }
  }
  const Fixation* fixation(size_t job, std::span<const int32_t>) override {
    State& state = states_[job];
    return state.later.layers.empty() ? &state.first : &state.later;
  }
  void committed(size_t job, std::span<const int32_t> rows,
                 const VisualAttentionStats& visual_stats) override {
    State& state = states_[job];
    if (!state.later.layers.empty()) return;
    const auto seen = looked_at(visual_stats, full_ - 1, rows.back());
    state.kept = largest_of({seen.begin(), seen.end()}, state.keep);
    state.later.layers.resize(state.first.layers.size());
    for (size_t layer = full_; layer < state.later.layers.size(); ++layer)
      state.later.layers[layer] = {.all = false, .rows = &state.kept};
  }

 private:
  struct State {
    int64_t keep;
    Fixation first, later;
    std::vector<int32_t> kept;
  };
  size_t full_;
  std::vector<State> states_;
};

/// H2O as a view: after the first step each layer keeps the rows that got most attention, summed
/// over all steps; what was left is never seen again.
class H2o : public FocalSelector {
 public:
  H2o(double keep, const SelectorInput& input) {
    for (const SelectorJob& job : input.jobs) {
      State state{kept_rows(keep, job.visual), {}, {}, {}};
      const auto layers = size_t(input.layers);
      state.kept.resize(layers);
      state.sums.assign(layers, std::vector<double>(size_t(job.visual), 0));
      state.fixation.layers.assign(layers, {.record_weights = true});
      states_.push_back(std::move(state));
    }
  }
  const Fixation* fixation(size_t job, std::span<const int32_t>) override {
    return &states_[job].fixation;
  }
  void committed(size_t job, std::span<const int32_t> rows,
                 const VisualAttentionStats& visual_stats) override {
    State& state = states_[job];
    for (size_t layer = 0; layer < state.kept.size(); ++layer) {
      LayerView& view = state.fixation.layers[layer];
      std::vector<double>& sums = state.sums[layer];
      for (const int32_t row : rows) {
        const auto seen = looked_at(visual_stats, layer, row);
        for (size_t i = 0; i < seen.size(); ++i)
          sums[view.all ? i : size_t(state.kept[layer][i])] += seen[i];
      }
      if (!view.all) continue;  // a prompt's rows only: what is kept then stays the heaviest
      state.kept[layer] = largest_of(sums, state.keep);
      view = {.all = false, .record_weights = true, .rows = &state.kept[layer]};
    }
  }

 private:
  struct State {
    int64_t keep;
    std::vector<std::vector<int32_t>> kept;
    std::vector<std::vector<double>> sums;
    Fixation fixation;
  };
  std::vector<State> states_;
};

/// Neither focal layers nor inheritance: the first layer chooses for all the others in each step.
class FirstLayer : public FocalSelector {
 public:
  FirstLayer(double keep, const SelectorInput& input) {
    for (const SelectorJob& job : input.jobs) {
      Fixation fixation{std::vector<LayerView>(size_t(input.layers), {.all = false}),
                        kept_rows(keep, job.visual)};
      fixation.layers[0] = {.choose = true};
      fixations_.push_back(std::move(fixation));
    }
  }
  const Fixation* fixation(size_t job, std::span<const int32_t>) override {
    return &fixations_[job];
  }
  void committed(size_t, std::span<const int32_t>, const VisualAttentionStats&) override {}

 private:
  std::vector<Fixation> fixations_;
};

/// Sees everything and measures, per layer, how much of the attention on visual rows lies on those
/// of the layout prior and on as many of the rows most looked at.
class Probe : public FocalSelector {
 public:
  struct Mass {
    std::vector<double> prior, most, all;
    double rows = 0, visual = 0;  ///< rows of the prior, and visual rows
  };
  Probe(Mass& mass, const SelectorInput& input) : mass_(mass), jobs_(input.jobs) {
    fixation_.layers.assign(size_t(input.layers), {.record_weights = true});
    for (std::vector<double>* sums : {&mass.prior, &mass.most, &mass.all})
      sums->resize(size_t(input.layers), 0);
    priors_.resize(jobs_.size());
  }
  const Fixation* fixation(size_t job, std::span<const int32_t> output) override {
    if (jobs_[job].prior) priors_[job] = jobs_[job].prior(output);
    return &fixation_;
  }
  void committed(size_t job, std::span<const int32_t> rows,
                 const VisualAttentionStats& visual_stats) override {
    const std::vector<int32_t>& prior = priors_[job];
    for (size_t layer = 0; layer < mass_.all.size(); ++layer) {
      const auto seen = looked_at(visual_stats, layer, rows[0]);
      std::vector<float> sorted(seen.begin(), seen.end());
      std::sort(sorted.rbegin(), sorted.rend());
      mass_.all[layer] += std::accumulate(seen.begin(), seen.end(), 0.0);
      for (const int32_t row : prior) mass_.prior[layer] += seen[size_t(row)];
      for (size_t i = 0; i < prior.size(); ++i) mass_.most[layer] += sorted[i];
    }
    mass_.rows += double(prior.size());
    mass_.visual += double(jobs_[job].visual);
  }

 private:
  Mass& mass_;
  std::vector<SelectorJob> jobs_;
  std::vector<std::vector<int32_t>> priors_;
  Fixation fixation_;
};

}  // namespace docspec

#include "core/decode/prune/fixation_selector.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/decode/prune/visual_shares.h"

namespace docspec {
namespace {

constexpr double kRounding = 1e-9;  // 0.07 * 100 is a little more than 7

/// Indices of the `k` largest values, the first of equal ones; sorted.
std::vector<int32_t> largest(std::span<const float> values, int64_t k) {
  std::vector<int32_t> index(values.size());
  std::iota(index.begin(), index.end(), 0);
  std::stable_sort(index.begin(), index.end(),
                   [&](int32_t a, int32_t b) { return values[size_t(a)] > values[size_t(b)]; });
  index.resize(size_t(std::min<int64_t>(k, int64_t(index.size()))));
  std::sort(index.begin(), index.end());
  return index;
}

class FixationSelector : public FocalSelector {
 public:
  FixationSelector(const FixationOptions& options, const SelectorInput& input)
      : options_(options), layers_(size_t(input.layers)) {
    for (const SelectorJob& job : input.jobs) {
      State state;
      state.job = job;
      state.on = job.visual >= std::max<int64_t>(1, options.least);
      state.fixation.keep = kept_rows(options.keep, job.visual);
      state.fixation.each = options.each;
      if (!input.visual_shares.empty()) focus(state, input.visual_shares);
      states_.push_back(std::move(state));
    }
  }

  const Fixation* fixation(size_t job, std::span<const int32_t> output) override {
    State& state = states_[job];
    if (!state.on) return nullptr;
    Fixation& next = state.fixation;
    if (state.focal.empty()) {
      next.layers.assign(layers_, {.record_weights = true});
      return &next;
    }
    next.joined.clear();
    if (options_.prior && state.job.prior) next.joined = state.job.prior(output);
    next.layers.assign(layers_, {.all = false});
    if (state.looked && options_.inherit)
      for (size_t layer = 0; layer < state.focal[0]; ++layer) next.layers[layer].rows = &state.last;
    else
      next.layers[0] = {.choose = true};
    for (const size_t layer : state.focal) next.layers[layer] = {.choose = true};
    return &next;
  }

  void committed(size_t job, std::span<const int32_t> rows,
                 const VisualAttentionStats& visual_stats) override {
    State& state = states_[job];
    if (state.focal.empty())
      warm_up(state, rows, visual_stats);
    else
      state.last = visual_stats.chosen[size_t(rows.back())];
    state.looked = !state.focal.empty();
  }

  double guard() const override { return options_.guard; }

 private:
  struct State {
    SelectorJob job;
    bool on = false;
    VisualShares shares;        ///< measured in the warm-up
    std::vector<size_t> focal;  ///< empty during warm-up
    std::vector<int32_t> last;  ///< chosen for the row that produced the pending token,
    bool looked = false;        ///< whether `last` was chosen
    Fixation fixation;
  };

  void focus(State& state, std::span<const double> shares) const {
    state.focal = focal_layers(shares, options_.focal, options_.gap);
  }

  void warm_up(State& state, std::span<const int32_t> rows,
               const VisualAttentionStats& visual_stats) const {
    state.shares.add(rows, visual_stats);
    if (state.shares.rows() < options_.warm_up) return;
    focus(state, state.shares.mean());
    state.last =
        largest(looked_at(visual_stats, state.focal.back(), rows.back()), state.fixation.keep);
  }

  FixationOptions options_;
  size_t layers_;
  std::vector<State> states_;
};

}  // namespace

int64_t kept_rows(double keep, int64_t visual) {
  return std::clamp<int64_t>(int64_t(std::ceil(keep * double(visual) - kRounding)), 0, visual);
}

std::vector<size_t> focal_layers(std::span<const double> shares, double focal, int64_t gap) {
  const auto wanted =
      std::max<size_t>(1, size_t(std::floor(focal * double(shares.size()) + kRounding)));
  std::vector<size_t> order(shares.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return shares[a] > shares[b]; });
  std::vector<size_t> out;
  for (const size_t layer : order) {
    const bool apart = std::all_of(out.begin(), out.end(), [&](size_t other) {
      return std::abs(int64_t(layer) - int64_t(other)) > gap;
    });
    if (apart && out.size() < wanted) out.push_back(layer);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::unique_ptr<FocalSelector> make_fixation_selector(const FixationOptions& options,
                                                      const SelectorInput& input) {
  return std::make_unique<FixationSelector>(options, input);
}

}  // namespace docspec

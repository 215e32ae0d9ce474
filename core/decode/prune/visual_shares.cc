#include "core/decode/prune/visual_shares.h"

#include <numeric>

namespace docspec {
namespace {

class ShareMeter : public FocalSelector {
 public:
  ShareMeter(VisualShares& shares, const SelectorInput& input) : shares_(shares) {
    fixation_.layers.assign(size_t(input.layers), {.record_weights = true});
    for (const SelectorJob& job : input.jobs) has_image_.push_back(job.visual > 0);
  }
  const Fixation* fixation(size_t job, std::span<const int32_t>) override {
    return has_image_[job] ? &fixation_ : nullptr;
  }
  void committed(size_t, std::span<const int32_t> rows,
                 const VisualAttentionStats& visual_stats) override {
    shares_.add(rows, visual_stats);
  }

 private:
  VisualShares& shares_;
  Fixation fixation_;
  std::vector<bool> has_image_;
};

}  // namespace

std::span<const float> looked_at(const VisualAttentionStats& visual_stats, size_t layer,
                                 int32_t row) {
  const std::vector<float>& weights = visual_stats.weights[layer];
  const size_t visual = weights.size() / visual_stats.rows;
  return std::span(weights).subspan(size_t(row) * visual, visual);
}

void VisualShares::add(std::span<const int32_t> rows, const VisualAttentionStats& visual_stats) {
  sums_.resize(visual_stats.weights.size(), 0);
  for (const int32_t row : rows) {
    for (size_t layer = 0; layer < sums_.size(); ++layer) {
      const auto weights = looked_at(visual_stats, layer, row);
      sums_[layer] += std::accumulate(weights.begin(), weights.end(), 0.0);
    }
    ++rows_;
  }
}

std::vector<double> VisualShares::mean() const {
  std::vector<double> out = sums_;
  for (double& share : out) share /= double(rows_);
  return out;
}

std::unique_ptr<FocalSelector> make_share_meter(VisualShares& shares, const SelectorInput& input) {
  return std::make_unique<ShareMeter>(shares, input);
}

}  // namespace docspec

#include "core/decode/draft_model/variant_weights.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace docspec {
namespace {

/// Appends all ways to distribute `left` steps over the variants from index `at` on.
void fill_grid(std::vector<double>& point, size_t at, int left, int steps,
               std::vector<std::vector<double>>& grid) {
  if (at + 1 == point.size()) {
    point[at] = double(left) / steps;
    grid.push_back(point);
    return;
  }
  for (int share = left; share >= 0; --share) {
    point[at] = double(share) / steps;
    fill_grid(point, at + 1, left - share, steps, grid);
  }
}

size_t argmax(const Distribution& distribution) {
  return size_t(std::max_element(distribution.begin(), distribution.end()) - distribution.begin());
}

VariantWeights::Score score_of(const Distribution& p, const Distribution& q) {
  constexpr double kLeast = 1e-12;  // of q where p is not 0
  VariantWeights::Score score;
  for (size_t v = 0; v < p.size(); ++v) {
    if (p[v] > 0) score.kl += p[v] * std::log(p[v] / std::max(q[v], kLeast));
  }
  score.matches = argmax(p) == argmax(q);
  return score;
}

void add(std::vector<VariantWeights::Score>& sums, const std::vector<VariantWeights::Score>& one,
         double sign) {
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i].kl += sign * one[i].kl;
    sums[i].matches += sign * one[i].matches;
  }
}

}  // namespace

VariantWeights::VariantWeights(size_t variants, const WeightOptions& options)
    : variants_(variants), options_(options) {
  if (variants == 0 || options.steps < 1)
    throw Error(ExitCode::internal, "draft variants: there must be one, and a grid of a step");
  std::vector<double> point(variants, 0);
  fill_grid(point, 0, options.steps, options.steps, grid_);
  sums_.resize(grid_.size());
}

Distribution VariantWeights::mixture(std::span<const double> weights,
                                     std::span<const Distribution> q) {
  Distribution out(q[0].size(), 0);
  for (size_t m = 0; m < q.size(); ++m)
    for (size_t v = 0; v < out.size(); ++v) out[v] += weights[m] * q[m][v];
  return out;
}

void VariantWeights::observe(const Distribution& p, std::span<const Distribution> q) {
  std::vector<Score> scores;
  for (const auto& point : grid_) scores.push_back(score_of(p, mixture(point, q)));
  ++positions_;
  add(sums_, scores, 1);
  if (options_.window == 0) return;
  recent_.push_back(std::move(scores));
  if (recent_.size() <= options_.window) return;
  add(sums_, recent_.front(), -1);
  recent_.pop_front();
  --positions_;
}

std::vector<double> VariantWeights::weights() const {
  if (positions_ == 0 || options_.rule == WeightRule::equal)
    return std::vector<double>(variants_, 1 / double(variants_));
  // The first of equal points wins. A window's sums are differences: equal means within 1e-9.
  const auto better = [](const Score& a, const Score& b) {
    return std::abs(a.matches - b.matches) > .5 ? a.matches > b.matches : a.kl < b.kl - 1e-9;
  };
  size_t best = 0;
  for (size_t i = 1; i < grid_.size(); ++i)
    if (better(sums_[i], sums_[best])) best = i;
  return grid_[best];
}

}  // namespace docspec

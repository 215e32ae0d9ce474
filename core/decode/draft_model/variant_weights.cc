#include "core/decode/draft_model/variant_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace docspec {
namespace {

/// All ways to share `left` steps among the variants from `at` on.
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
    score.tv += std::abs(p[v] - q[v]) / 2;
  }
  score.matches = argmax(p) == argmax(q);
  return score;
}

void add(std::vector<VariantWeights::Score>& sums, const std::vector<VariantWeights::Score>& one,
         double sign) {
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i].kl += sign * one[i].kl;
    sums[i].tv += sign * one[i].tv;
    sums[i].matches += sign * one[i].matches;
  }
}

}  // namespace

double boost_weight(double error, size_t vocab) {
  if (error <= 0) return std::numeric_limits<double>::infinity();
  if (error >= 1) return 0;
  return std::max(0.0, std::log(1 / error - 1) + std::log(double(vocab) - 1));
}

VariantWeights::VariantWeights(size_t variants, const WeightOptions& options)
    : variants_(variants), options_(options) {
  if (variants == 0 || options.steps < 1)
    throw Error(ExitCode::internal, "draft variants: there must be one, and a grid of a step");
  std::vector<double> point(variants, 0);
  fill_grid(point, 0, options.steps, options.steps, grid_);
  for (size_t m = 0; m < variants; ++m)
    for (size_t i = 0; i < grid_.size(); ++i)
      if (grid_[i][m] == 1) corner_.push_back(i);
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
  vocab_ = p.size();
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
  const bool grid = options_.rule == WeightRule::kl || options_.rule == WeightRule::match_kl ||
                    options_.rule == WeightRule::tv;
  return grid ? best_point() : closed_form();
}

/// The first of equals: a window's sums are differences, so equal means within 1e-9.
std::vector<double> VariantWeights::best_point() const {
  const auto better = [&](const Score& a, const Score& b) {
    if (options_.rule == WeightRule::match_kl && std::abs(a.matches - b.matches) > .5)
      return a.matches > b.matches;
    return options_.rule == WeightRule::tv ? a.tv < b.tv - 1e-9 : a.kl < b.kl - 1e-9;
  };
  size_t best = 0;
  for (size_t i = 1; i < grid_.size(); ++i)
    if (better(sums_[i], sums_[best])) best = i;
  return grid_[best];
}

std::vector<double> VariantWeights::closed_form() const {
  constexpr double kLargest = 1e11;  // 1 / error of a variant without one, as in the published code
  std::vector<double> logs;          // of the weights
  for (size_t m = 0; m < variants_; ++m) {
    const Score& score = of_variant(m);
    const double inverse = score.kl > 1 / kLargest ? 1 / score.kl : kLargest;
    const double wrong = 1 - score.matches / double(positions_);
    if (options_.rule == WeightRule::boost)
      logs.push_back(std::log(std::min(kLargest, boost_weight(wrong, vocab_))));
    else
      logs.push_back((options_.rule == WeightRule::inverse ? std::log(inverse) : inverse) /
                     options_.temperature);
  }
  const double top = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(top)) return std::vector<double>(variants_, 1 / double(variants_));
  double sum = 0;
  for (double& weight : logs) sum += weight = std::exp(weight - top);
  for (double& weight : logs) weight /= sum;
  return logs;
}

}  // namespace docspec

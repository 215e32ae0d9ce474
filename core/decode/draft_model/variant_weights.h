#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/decode/sample/sampling.h"

namespace docspec {

/// How weights follow from what verification showed ([tabed]; algorithms.md 3).
enum class WeightRule {
  equal,
  kl,               ///< grid point of the least sum of KL(p || mixture)
  match_kl,         ///< of those whose mixture has p's argmax most often, the least KL
  tv,               ///< grid point of the least total variation
  inverse,          ///< (1 / KL of the variant)^(1 / temperature), as the published code
  softmax_inverse,  ///< softmax(1 / KL / temperature), as the paper
  boost,            ///< SAMME: boost_weight of the share of wrong argmaxes
};

struct WeightOptions {
  WeightRule rule = WeightRule::match_kl;
  size_t window = 0;       ///< last verified positions that count; 0 = all
  int steps = 10;          ///< of the grid on each axis
  double temperature = 1;  ///< of the closed forms
};

/// ln(1 / error - 1) + ln(vocab - 1), not below 0: SAMME's weight of a classifier.
double boost_weight(double error, size_t vocab);

/// Weights of several input variants of one drafter, learnt online. Only running sums are kept: a
/// verified position costs O(grid points x vocabulary). Weights steer drafts, never the
/// distribution.
class VariantWeights {
 public:
  /// Error(internal) without a variant.
  VariantWeights(size_t variants, const WeightOptions& options);

  /// One verified position (its prefix accepted; the rejected one counts too): the target's
  /// distribution and each variant's.
  void observe(const Distribution& p, std::span<const Distribution> q);

  /// In the order of the variants, sum 1; equal before the first position.
  std::vector<double> weights() const;
  /// The distribution that the verifier must be told: sum of weights x distributions.
  static Distribution mixture(std::span<const double> weights, std::span<const Distribution> q);

  /// What is summed over the window.
  struct Score {
    double kl = 0, tv = 0;
    double matches = 0;
  };
  std::span<const std::vector<double>> grid() const { return grid_; }
  std::span<const Score> scores() const { return sums_; }  ///< of the grid's points

 private:
  std::vector<double> best_point() const;
  std::vector<double> closed_form() const;
  const Score& of_variant(size_t m) const { return sums_[corner_[m]]; }

  size_t variants_, positions_ = 0, vocab_ = 0;
  WeightOptions options_;
  std::vector<std::vector<double>>
      grid_;                    ///< points of the simplex, the first variant's share falling
  std::vector<size_t> corner_;  ///< grid point of each variant alone
  std::vector<Score> sums_;
  std::deque<std::vector<Score>> recent_;  ///< of the window's positions; unused without a window
};

}  // namespace docspec

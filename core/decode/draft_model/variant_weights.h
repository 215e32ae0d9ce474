#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/decode/sample/sampling.h"

namespace docspec {

/// How the weights of the input variants are chosen ([tabed]; algorithms.md 3.4).
enum class WeightRule {
  equal,  ///< the same weight for each variant
  tabed,  ///< learnt: the grid point with the most argmax matches, then with the least KL
};

struct WeightOptions {
  WeightRule rule = WeightRule::tabed;
  size_t window = 0;  ///< number of last verified positions that count; 0 = all
  int steps = 10;     ///< steps of the grid on each axis
};

/// Weights of several input variants of one draft model, learnt online. It keeps running sums only:
/// a verified position costs O(grid points x vocabulary). Weights change which tokens are drafted,
/// never the distribution of the output.
class VariantWeights {
 public:
  /// Error(internal) without a variant.
  VariantWeights(size_t variants, const WeightOptions& options);

  /// Learns from one verified position (its prefix was accepted; the token itself may have been
  /// rejected). `p`: the target's distribution there; `q`: that of each variant.
  void observe(const Distribution& p, std::span<const Distribution> q);

  /// One weight per variant, with sum 1; equal before the first position.
  std::vector<double> weights() const;
  /// Sum of weights x distributions: the distribution that the verifier must be given.
  static Distribution mixture(std::span<const double> weights, std::span<const Distribution> q);

  /// A grid point's sums over the window.
  struct Score {
    double kl = 0;       ///< KL(p || mixture)
    double matches = 0;  ///< positions where p and the mixture have the same argmax
  };
  std::span<const std::vector<double>> grid() const { return grid_; }
  std::span<const Score> scores() const { return sums_; }  ///< one per grid point

 private:
  size_t variants_, positions_ = 0;
  WeightOptions options_;
  /// Points of the simplex; the first variant's share falls from 1 to 0.
  std::vector<std::vector<double>> grid_;
  std::vector<Score> sums_;
  std::deque<std::vector<Score>> recent_;  ///< scores of the window's positions, if there is one
};

}  // namespace docspec

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/decode/sample/random_source.h"
#include "core/model/draft_tree.h"

namespace docspec {

/// How tokens are sampled; temperature 0 is greedy.
struct SamplingSettings {
  double temperature = 0;
  double top_p = 1;   ///< the fewest likeliest tokens that have this probability together
  int64_t top_k = 0;  ///< the k likeliest tokens, and those as likely as the last; 0 = all
  uint64_t seed = 0;

  bool on() const { return temperature > 0; }
};

/// Probabilities of all tokens; their sum is 1.
using Distribution = std::vector<double>;

/// The settings whose distributions are compared: a greedy decode uses temperature 1.
SamplingSettings distributions_of(SamplingSettings settings);

/// The distribution of the next token as in transformers' generate: logits (after the penalties)
/// divided by the temperature, cut to top-k, then to top-p. Target and draft model use the same.
/// `settings` are on. A row that is all -inf, or has a NaN, gives all weight to token 0.
Distribution sampling_distribution(std::span<const float> logits, const SamplingSettings& settings);

/// One draft of a tree as verification sees it: its rows from the root to the end.
struct Chain {
  std::vector<int32_t> rows;
  /// The distribution that each token was sampled from, given those before it; for a mixture, the
  /// mixture. An empty vector, or an empty distribution: the token was not sampled (text of the
  /// page, a retrieved phrase). The length of a chain may depend on its tokens only as a stopping
  /// time: a sampled token is always part of it.
  std::vector<Distribution> distributions;
};

/// The input of a rule at temperature > 0, besides the tree.
struct Draws {
  std::function<Distribution(int32_t row)> target;  ///< distribution of the token after a row
  RandomSource* rng = nullptr;
  /// Drafts in the order in which they are verified, sampled independently. Empty = each leaf of
  /// the tree is the end of a draft that was not sampled.
  std::span<const Chain> chains = {};
  /// Per row, the token sampled on the device and its position on the accepted path
  /// (RowStats::path_position); for rules that follow sampled tokens. Empty if nothing was sampled
  /// there.
  std::span<const int32_t> drawn = {}, path_position = {};
};

/// The drafts of a tree that were not sampled: a chain for each leaf, likelier ones (lower rows)
/// first.
std::vector<Chain> leaf_chains(const DraftTree& tree);

/// The draft's probability of its token `index`; 1 if the token was not sampled.
double draft_probability(const DraftTree& tree, const Chain& chain, size_t index);

/// (cap p - q)+ with q the distribution of token `index` of the chain.
Distribution positive_part(Distribution p, double cap, const DraftTree& tree, const Chain& chain,
                           size_t index);

double sum_of(const Distribution& distribution);

/// The cut of a chain, and the residual distribution after the accepted tokens.
struct ChainCut {
  size_t accepted = 0;  ///< tokens of the whole chain
  Distribution
      residual;  ///< of the next token, not normalised; all later ones follow the target's own
};

/// Token-wise rule: each token in turn is accepted with min(1, p / q) (Leviathan et al. 2023, Chen
/// et al. 2023). At the first rejection the residual distribution is (p - q)+.
ChainCut cut_token_wise(const DraftTree& tree, const Chain& chain, const Draws& draws);

/// Block verification (Sun et al. 2024); the capped rule of [hsd-sampling] is equal to it
/// (algorithms.md 5.2). With c_t = min(1, c_(t-1) p / q) and A_t = sum of (c_t p - q)+, it accepts
/// the longest prefix whose coin of A_t / (A_t + 1 - c_t) succeeds; the coin of the whole chain is
/// c_n. Begins after the first `from` tokens, where `residual` is the distribution of the next
/// token. `attempt` distinguishes the chains of one pass.
ChainCut cut_block(const DraftTree& tree, const Chain& chain, const Draws& draws, size_t from,
                   Distribution residual, size_t attempt);

}  // namespace docspec

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/decode/sample/random_source.h"
#include "core/model/draft_tree.h"

namespace docspec {

/// How tokens are drawn; temperature 0 is greedy.
struct SamplingSettings {
  double temperature = 0;
  double top_p = 1;   ///< the fewest likeliest tokens that have this probability together
  int64_t top_k = 0;  ///< the k likeliest tokens, and those as likely as the last; 0 = all
  uint64_t seed = 0;

  bool on() const { return temperature > 0; }
};

/// Probabilities of all tokens, sum 1.
using Distribution = std::vector<double>;

/// By which distributions are compared: a greedy decode's are those of temperature 1.
SamplingSettings distributions_of(SamplingSettings settings);

/// The distribution of the next token as transformers' generate has it: logits (after the
/// penalties) divided by the temperature, cut to top-k, then to top-p. The same for a target and
/// its draft model. `settings` are on. A row of -inf alone, or with a NaN, gives all weight to
/// token 0.
Distribution sampling_distribution(std::span<const float> logits, const SamplingSettings& settings);

/// One draft of a tree as verification sees it: its rows from the root on.
struct Chain {
  std::vector<int32_t> rows;
  /// The distribution that each token was drawn from, given those before it. Empty, or an empty
  /// distribution: the token was not drawn (text of the page, a retrieved phrase). A mixture's
  /// tokens have the mixture here. How long a chain is may depend on its tokens only as a stopping
  /// time: a token that was drawn is in it.
  std::vector<Distribution> distributions;
};

/// What a rule at temperature > 0 is given beside a tree.
struct Draws {
  std::function<Distribution(int32_t row)> target;  ///< distribution of the token after a row
  RandomSource* rng = nullptr;
  /// Drafts in the order of their verification, drawn independently. Empty = every leaf of the tree
  /// is the end of one, none of them drawn.
  std::span<const Chain> chains = {};
  /// The token that the target's distribution and chance yield behind each row, and the way that
  /// they lead (RowStats::place), where a device has drawn them: for a rule that follows them.
  std::span<const int32_t> drawn = {}, place = {};
};

/// The drafts of a tree that nobody drew: a chain for each leaf, likelier (lower rows) first.
std::vector<Chain> leaf_chains(const DraftTree& tree);

/// The draft's probability of its token `index`; 1 where it was not drawn.
double draft_probability(const DraftTree& tree, const Chain& chain, size_t index);

/// (cap p - q)+ with q the distribution of token `index` of the chain.
Distribution positive_part(Distribution p, double cap, const DraftTree& tree, const Chain& chain,
                           size_t index);

double sum_of(const Distribution& distribution);

/// Where a chain was cut, and what is owed behind the accepted tokens.
struct ChainCut {
  size_t accepted = 0;  ///< tokens of the whole chain
  Distribution
      residual;  ///< distribution of the next token, not normalised; after it the target's own
};

/// Token-wise rule: each token in turn passes with min(1, p / q) (Leviathan et al. 2023, Chen et
/// al. 2023); where one fails, (p - q)+ is owed.
ChainCut cut_token_wise(const DraftTree& tree, const Chain& chain, const Draws& draws);

/// Block verification (Sun et al. 2024), which [hsd-sampling]'s capped rule equals
/// (algorithms.md 5.2): with c_t = min(1, c_(t-1) p / q), the longest prefix whose coin of
/// A_t / (A_t + 1 - c_t) falls, A_t = sum of (c_t p - q)+, and c_n for the whole chain. Begins
/// behind the first `from` tokens, where `owed` is the distribution to come; `attempt` tells chains
/// of one pass apart.
ChainCut cut_block(const DraftTree& tree, const Chain& chain, const Draws& draws, size_t from,
                   Distribution residual, size_t attempt);

}  // namespace docspec

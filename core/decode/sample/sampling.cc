#include "core/decode/sample/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace docspec {
namespace {

/// Sets to zero what top-k and top-p cut away. `distribution` need not sum to 1.
void truncate(Distribution& distribution, const SamplingSettings& settings) {
  const bool k = settings.top_k > 0 && size_t(settings.top_k) < distribution.size();
  const bool p = settings.top_p < 1;
  if (!k && !p) return;
  std::vector<int32_t> order(distribution.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return distribution[size_t(a)] != distribution[size_t(b)]
               ? distribution[size_t(a)] > distribution[size_t(b)]
               : a < b;
  });
  size_t kept = distribution.size();
  if (k) {
    const double least = distribution[size_t(order[size_t(settings.top_k) - 1])];
    kept = size_t(settings.top_k);
    while (kept < distribution.size() && distribution[size_t(order[kept])] == least) ++kept;
  }
  if (p) {
    double all = 0, above = 0;
    for (size_t i = 0; i < kept; ++i) all += distribution[size_t(order[i])];
    size_t i = 0;
    while (i < kept && (i == 0 || above < settings.top_p * all))
      above += distribution[size_t(order[i++])];
    kept = i;
  }
  for (size_t i = kept; i < distribution.size(); ++i) distribution[size_t(order[i])] = 0;
}

/// p(token) / q(token) of the token `index` of the chain; 0 if q cannot have produced it.
double ratio(const DraftTree& tree, const Chain& chain, size_t index, const Distribution& p) {
  const double q = draft_probability(tree, chain, index);
  return q > 0 ? p[size_t(tree.token()[size_t(chain.rows[index])])] / q : 0;
}

/// The positive part, or p if nothing is left of it: then p equals q.
Distribution residual_after(Distribution p, double cap, const DraftTree& tree, const Chain& chain,
                            size_t index) {
  Distribution rest = positive_part(p, cap, tree, chain, index);
  return sum_of(rest) > 0 ? rest : p;
}

int32_t row_before(const Chain& chain, size_t index) {
  return index == 0 ? 0 : chain.rows[index - 1];
}

}  // namespace

double sum_of(const Distribution& distribution) {
  return std::accumulate(distribution.begin(), distribution.end(), 0.0);
}

SamplingSettings distributions_of(SamplingSettings settings) {
  return settings.on() ? settings : SamplingSettings{.temperature = 1};
}

Distribution sampling_distribution(std::span<const float> logits,
                                   const SamplingSettings& settings) {
  const float top = *std::max_element(logits.begin(), logits.end());
  Distribution distribution(logits.size());
  for (size_t i = 0; i < distribution.size(); ++i)
    distribution[i] = std::exp((double(logits[i]) - double(top)) / settings.temperature);
  truncate(distribution, settings);
  const double sum = sum_of(distribution);
  if (!(sum > 0) || !std::isfinite(sum)) {
    std::fill(distribution.begin(), distribution.end(), 0.0);
    distribution[0] = 1;
    return distribution;
  }
  for (double& p : distribution) p /= sum;
  return distribution;
}

std::vector<Chain> leaf_chains(const DraftTree& tree) {
  std::vector<bool> inner(tree.rows(), false);
  for (size_t row = 1; row < tree.rows(); ++row) inner[size_t(tree.parent()[row])] = true;
  std::vector<Chain> chains;
  for (size_t leaf = 1; leaf < tree.rows(); ++leaf) {
    if (inner[leaf]) continue;
    Chain& chain = chains.emplace_back();
    for (int32_t row = int32_t(leaf); row > 0; row = tree.parent()[size_t(row)])
      chain.rows.push_back(row);
    std::reverse(chain.rows.begin(), chain.rows.end());
  }
  return chains;
}

double draft_probability(const DraftTree& tree, const Chain& chain, size_t index) {
  if (index >= chain.distributions.size() || chain.distributions[index].empty()) return 1;
  return chain.distributions[index][size_t(tree.token()[size_t(chain.rows[index])])];
}

Distribution positive_part(Distribution p, double cap, const DraftTree& tree, const Chain& chain,
                           size_t index) {
  const bool drawn = index < chain.distributions.size() && !chain.distributions[index].empty();
  const auto own = size_t(tree.token()[size_t(chain.rows[index])]);
  for (size_t v = 0; v < p.size(); ++v) {
    const double q = drawn ? chain.distributions[index][v] : v == own ? 1 : 0;
    p[v] = std::max(0.0, cap * p[v] - q);
  }
  return p;
}

ChainCut cut_token_wise(const DraftTree& tree, const Chain& chain, const Draws& draws) {
  for (size_t t = 0; t < chain.rows.size(); ++t) {
    const Distribution p = draws.target(row_before(chain, t));
    if (!draws.rng->accept(std::min(1.0, ratio(tree, chain, t, p)), t, 0))
      return {t, residual_after(p, 1, tree, chain, t)};
  }
  return {chain.rows.size(), draws.target(row_before(chain, chain.rows.size()))};
}

ChainCut cut_block(const DraftTree& tree, const Chain& chain, const Draws& draws, size_t from,
                   Distribution residual, size_t attempt) {
  const size_t n = chain.rows.size();
  std::vector<double> cap = {1}, coin = {1};  // of the prefixes of from, from + 1, ... n tokens
  const double mass = sum_of(residual);
  for (double& weight : residual) weight /= mass;
  Distribution p = residual;
  for (size_t t = from; t < n; ++t) {
    cap.push_back(std::min(1.0, cap.back() * ratio(tree, chain, t, p)));
    p = draws.target(chain.rows[t]);
    const double c = cap.back();
    if (t + 1 == n) {
      coin.push_back(c);
    } else {
      const double above = sum_of(positive_part(p, c, tree, chain, t + 1));
      const double below = above + 1 - c;
      coin.push_back(below > 0 ? above / below : 1);
    }
  }
  size_t t = n;
  while (t > from && !draws.rng->accept(coin[t - from], t, attempt)) --t;
  if (t == n) return {n, std::move(p)};
  return {t, residual_after(t == from ? std::move(residual) : draws.target(chain.rows[t - 1]),
                            cap[t - from], tree, chain, t)};
}

}  // namespace docspec

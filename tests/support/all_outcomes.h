#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "core/decode/sample/random_source.h"
#include "core/decode/sample/sampling.h"
#include "core/decode/verify/verifier.h"

namespace docspec {

/// Takes every way that chance may go, one after the other, each with its probability.
class AllOutcomes : public RandomSource {
 public:
  /// Calls `visit` once for each way through the choices that it makes.
  void each(const std::function<void()>& visit);
  /// Probability of the way at hand, so far.
  double weight() const { return weight_; }

  bool accept(double probability, size_t place, size_t attempt) override;
  int32_t draw(std::span<const double> weights, size_t place) override;

 private:
  size_t choose(size_t ways);

  struct Choice {
    size_t taken = 0, ways = 0;
  };
  std::vector<Choice> choices_;
  size_t at_ = 0;
  double weight_ = 1;
};

/// The law of the next token after every prefix.
using Table = std::map<std::vector<int32_t>, Distribution>;

/// A law for each prefix of fewer than `length` tokens.
Table table_of(int32_t vocab, size_t length,
               const std::function<Distribution(const std::vector<int32_t>&)>&);
Distribution dirichlet(std::mt19937& rng, int32_t vocab, double concentration);

/// A pass over drafts of `length` tokens.
struct ToyPass {
  int32_t vocab = 2;
  size_t length = 2;
  size_t drafts = 1;
  Table p;     ///< the target
  Table q;     ///< what the drafts are drawn from
  Table told;  ///< what the rule is told of it; empty laws = "not drawn"
};

struct ToyLaw {
  double total_variation = 0;  ///< of the first length + 1 tokens against the target's law
  double accepted = 0;         ///< expected number of accepted tokens
};

/// The exact law of one pass and plain sampling after it: all drafts, all outcomes of the rule.
ToyLaw distribution_of(const Verifier& rule, const ToyPass& pass);

}  // namespace docspec

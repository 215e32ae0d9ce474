#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace docspec {

/// Philox 4x32-10 (Salmon et al. 2011): 128 random bits of a counter and a key, without state.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// The source of random decisions of a sampling rule. Tests replace it by one that enumerates all
/// outcomes.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  /// True with this probability. `place`: number of tokens of the pass before the one in question;
  /// `attempt` distinguishes several decisions at one place.
  virtual bool accept(double probability, size_t place, size_t attempt) = 0;
  /// Returns index i with probability weights[i] / sum. Weights must not be negative, and their sum
  /// must be above 0.
  virtual int32_t draw(std::span<const double> weights, size_t place) = 0;
};

/// Counter-based random numbers, keyed by seed, stream (one per job) and position in the output.
/// They do not depend on other jobs, batches or threads; a sampled token does not depend on what
/// was proposed before it.
class CounterRandom : public RandomSource {
 public:
  /// `base`: number of tokens of the output so far; it must be unique to each pass of a job.
  CounterRandom(uint64_t seed, uint32_t stream, int64_t base)
      : seed_(seed), stream_(stream), base_(base) {}
  bool accept(double probability, size_t place, size_t attempt) override;
  int32_t draw(std::span<const double> weights, size_t place) override;
  /// The number in [0, 1) from which `draw` selects a token.
  double number(size_t place) const;

 private:
  uint64_t seed_;
  uint32_t stream_;
  int64_t base_;
};

/// The source of the sampled tokens of a draft model. Tests replace it by one that enumerates all
/// outcomes.
class DraftRandom {
 public:
  virtual ~DraftRandom() = default;
  /// Returns index i with probability weights[i] / sum. A job calls it at most once for each (base,
  /// place, chain): `base` = tokens of the output when drafting began, `place` = position in the
  /// draft, `chain` = index of the draft.
  virtual int32_t draw(std::span<const double> weights, int64_t base, size_t place,
                       size_t chain) = 0;
};

/// Counter-based numbers, keyed by seed and stream, independent of those of verification.
class CounterDraftRandom : public DraftRandom {
 public:
  CounterDraftRandom(uint64_t seed, uint32_t stream) : seed_(~seed), stream_(stream) {}
  int32_t draw(std::span<const double> weights, int64_t base, size_t place, size_t chain) override;

 private:
  uint64_t seed_;
  uint32_t stream_;
};

}  // namespace docspec

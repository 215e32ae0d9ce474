#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace docspec {

/// Philox 4x32-10 (Salmon et al. 2011): 128 random bits of a counter and a key, without state.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// Where a sampling rule gets its chance from. A test enumerates all outcomes instead.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  /// True with this probability. `place` tokens of the pass precede the one that is judged;
  /// `attempt` tells several judgements of one place from each other.
  virtual bool accept(double probability, size_t place, size_t attempt) = 0;
  /// Index with probability weights[i] / sum. The weights are not negative, their sum is above 0.
  virtual int32_t draw(std::span<const double> weights, size_t place) = 0;
};

/// RandomSource that is a function of seed, stream (one a job) and the token's index in the output:
/// it does not depend on what other jobs, batches or threads do, and a drawn token not on what was
/// proposed before it.
class CounterRandom : public RandomSource {
 public:
  /// `base`: tokens of the output so far. No pass of a job may have the base of another.
  CounterRandom(uint64_t seed, uint32_t stream, int64_t base)
      : seed_(seed), stream_(stream), base_(base) {}
  bool accept(double probability, size_t place, size_t attempt) override;
  int32_t draw(std::span<const double> weights, size_t place) override;
  /// What `draw` turns into a token: in [0, 1).
  double number(size_t place) const;

 private:
  uint64_t seed_;
  uint32_t stream_;
  int64_t base_;
};

/// Where a draft model gets its tokens from. A test enumerates all outcomes instead.
class DraftRandom {
 public:
  virtual ~DraftRandom() = default;
  /// Index with probability weights[i] / sum. A job draws once at most for each (base, place,
  /// chain): base = tokens of the output when drafting began, place = in the draft, chain = which
  /// of several drafts.
  virtual int32_t draw(std::span<const double> weights, int64_t base, size_t place,
                       size_t chain) = 0;
};

/// A function of seed and stream, apart from all chance of verification.
class CounterDraftRandom : public DraftRandom {
 public:
  CounterDraftRandom(uint64_t seed, uint32_t stream) : seed_(~seed), stream_(stream) {}
  int32_t draw(std::span<const double> weights, int64_t base, size_t place, size_t chain) override;

 private:
  uint64_t seed_;
  uint32_t stream_;
};

}  // namespace docspec

#include "core/decode/sample/random_source.h"

namespace docspec {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

namespace {

/// In [0, 1), 53 bits.
double uniform(const std::array<uint32_t, 4>& counter, uint64_t seed) {
  const auto bits = philox(counter, {uint32_t(seed), uint32_t(seed >> 32)});
  return double((uint64_t{bits[0]} << 32 | bits[1]) >> 11) * 0x1p-53;
}

int32_t pick(std::span<const double> weights, double rng) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = rng * sum;
  int32_t last = 0;  // rounding may leave a rest after the last weight
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    last = int32_t(i);
    if (left < weights[i]) break;
    left -= weights[i];
  }
  return last;
}

}  // namespace

bool CounterRandom::accept(double probability, size_t place, size_t attempt) {
  return uniform({uint32_t(base_), uint32_t(place), uint32_t(attempt) + 1, stream_}, seed_) <
         probability;
}

/// A sampled token uses attempt 0 and its position in the output, so it does not depend on the
/// pass.
double CounterRandom::number(size_t place) const {
  return uniform({uint32_t(base_ + int64_t(place)), 0, 0, stream_}, seed_);
}

int32_t CounterRandom::draw(std::span<const double> weights, size_t place) {
  return pick(weights, number(place));
}

int32_t CounterDraftRandom::draw(std::span<const double> weights, int64_t base, size_t place,
                                 size_t chain) {
  return pick(weights, uniform({uint32_t(base), uint32_t(place), uint32_t(chain), stream_}, seed_));
}

}  // namespace docspec

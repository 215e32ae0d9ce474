#include "core/model/layers/thread_bits.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <set>

namespace docspec {
namespace {

/// Pseudo-random values in (-1, 1) without a generator: the check must not disturb sampling.
at::Tensor noise(at::IntArrayRef shape) {
  int64_t n = 1;
  for (const int64_t side : shape) n *= side;
  return at::arange(n, at::kDouble).mul_(12.9898).sin_().mul_(43758.5453).frac_().view(shape);
}

}  // namespace

bool bits_hold_across_threads(std::string_view dtype, int most_threads) {
  const auto type = dtype == "f32" ? at::kFloat : at::kBFloat16;
  // Long sums and few outputs: what a library is tempted to split by the sum.
  const at::Tensor x = noise({256, 1536}).to(type), weight = noise({256, 1536}).to(type);
  const at::Tensor q = noise({2, 64, 128}).to(at::kFloat),
                   keys = noise({2, 128, 128}).to(at::kFloat);
  const auto products = [&] {
    return std::vector<at::Tensor>{at::linear(x.narrow(0, 0, 16), weight), at::linear(x, weight),
                                   at::bmm(q, keys)};
  };
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const std::vector<at::Tensor> alone = products();
  bool hold = true;
  for (const int threads : std::set{2, 3, most_threads / 2, most_threads - 1, most_threads}) {
    if (threads < 2 || threads > most_threads) continue;
    at::set_num_threads(threads);
    const std::vector<at::Tensor> many = products();
    hold = hold && std::equal(alone.begin(), alone.end(), many.begin(),
                              [](const auto& a, const auto& b) { return at::equal(a, b); });
  }
  at::set_num_threads(before);
  return hold;
}

}  // namespace docspec

#include "core/ops/cpu/cpu_int4.h"

#include <cmath>
#include <vector>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

/// Vectors that a group of weights is.
template <class V>
constexpr int kVectors = int(kInt4Group / kLanesOf<V>);

template <class V>
struct Int4Choice {
  float error = 0;
  int size = 0;
  IntegersOf<V> number[kVectors<V>];  // of the list, from its lowest weight on
};

/// The numbers of a group's weights in the list of one size, and the sum of their squared errors.
template <class V>
DOCSPEC_INLINE void choose(const V (&x)[kVectors<V>], int size, Int4Choice<V>& to) {
  const auto& weights = kInt4Weights[size_t(size + 128)];
  const int first = size < 0 ? 15 : 0, step = size < 0 ? -1 : 1;
  V squares = {};
  for (int part = 0; part < kVectors<V>; ++part) {
    V near = V{} + float(weights[size_t(first)]);
    IntegersOf<V> number = {};
    for (int i = 1; i < 16; ++i) {
      const float below = weights[size_t(first + (i - 1) * step)],
                  above = weights[size_t(first + i * step)];
      const IntegersOf<V> beyond = x[part] > (below + above) / 2;
      near = beyond ? V{} + above : near;
      number -= beyond;
    }
    V square = (x[part] - near) * (x[part] - near);
    settle_rounded(square);
    squares += square;
    to.number[part] = size < 0 ? 15 - number : number;
  }
  to.error = sum_of(squares);
  to.size = size;
}

/// The better one of four sizes for a group, x: its weights as int8, not yet rounded.
template <class V>
DOCSPEC_INLINE void best_choice(const V (&x)[kVectors<V>], Int4Choice<V>& best) {
  float outmost = 0;
  for (const V& part : x)
    for (int i = 0; i < kLanesOf<V>; ++i)
      if (std::fabs(part[i]) > std::fabs(outmost)) outmost = part[i];
  bool first = true;
  for (const float share : {-1.0f, -0.92f, 1.134f, 1.04f}) {  // of it, at either end of the list
    const float size = std::round(outmost * share);
    Int4Choice<V> choice;
    choose(x, int(std::min(127.0f, std::max(-127.0f, size))), choice);
    if (first || choice.error < best.error) best = choice;
    first = false;
  }
}

}  // namespace

Int4Row to_int4(const float* row, int64_t in, Int4Block* to) {
  return for_each_cpu([=](auto registers) DOCSPEC_INLINED {
    using V = typename decltype(registers)::Vector;
    const float largest = largest_size<V>(row, in);
    const float inverse = largest > 0 ? kLargestInt8 / largest : 0;
    Int4Row out{largest / kLargestInt8, 0};
    for (int64_t first = 0; first < in; first += kInt4Block) {
      Int4Block& block = to[first / kInt4Block];
      for (int group = 0; group < 2; ++group) {
        V x[kVectors<V>];
        for (int part = 0; part < kVectors<V>; ++part) {
          load(x[part], row + first + group * kInt4Group + part * kLanesOf<V>);
          x[part] *= inverse;
        }
        Int4Choice<V> best;
        best_choice(x, best);
        block.sizes[group] = uint8_t(best.size + 128);
        for (int i = 0; i < kInt4Group; ++i) {
          const int number = best.number[i / kLanesOf<V>][i % kLanesOf<V>];
          uint8_t& pair = block.pairs[i];
          pair = uint8_t(group ? pair | number << 4 : number);
          out.sum += kInt4Weights[size_t(best.size + 128)][size_t(number)];
        }
      }
    }
    return out;
  });
}

void expand_int4(const Int4Block* from, int64_t count, int8_t* to) {
  for (int64_t i = 0; i < count; ++i, to += kInt4Block)
    for (int64_t k = 0; k < kInt4Group; ++k) {
      to[k] = kInt4Weights[from[i].sizes[0]][from[i].pairs[k] & 15];
      to[kInt4Group + k] = kInt4Weights[from[i].sizes[1]][from[i].pairs[k] >> 4];
    }
}

void multiply_expanded(const LinearRows& x, const LinearWeights& weights, int64_t first,
                       int64_t last, float* out, int64_t out_row, ExpandInt4 expand,
                       decltype(LinearKernel::multiply) multiply) {
  constexpr int64_t kBytes = 64 << 10, kTogether = 32;  // of int8 weights; outputs of any kernel
  static thread_local std::vector<int8_t> wide;
  const int64_t in = x.in(), blocks = in / kInt4Block;
  const int64_t most = std::max(kTogether, kBytes / in / kTogether * kTogether);
  wide.resize(size_t(most * in));
  const auto* const from = static_cast<const Int4Block*>(weights.weight);
  for (int64_t c = first; c < last; c += most) {
    const int64_t n = std::min(most, last - c);
    expand(from + c * blocks, n * blocks, wide.data());
    multiply(x,
             {WeightType::int8, wide.data(), weights.bias ? weights.bias + c : nullptr,
              weights.scale + c, weights.sums + c},
             0, n, out + c, out_row);
  }
}

}  // namespace docspec

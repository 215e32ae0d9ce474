#include "core/ops/cpu/cpu_int4.h"

#include <cmath>
#include <vector>

#include "core/ops/cpu/cpu_vector.h"

namespace docspec {
namespace {

struct Int4Choice {
  float error = 0;
  int size = 0;
  Integers number[2];  // of the list, from its lowest weight on
};

/// The numbers of a group's weights in the list of one size, and the sum of their squared errors.
DOCSPEC_INLINE void choose(const Vector (&x)[2], int size, Int4Choice& to) {
  const auto& weights = kInt4Weights[size_t(size + 128)];
  const int first = size < 0 ? 15 : 0, step = size < 0 ? -1 : 1;
  Vector squares = {};
  for (int half = 0; half < 2; ++half) {
    Vector near = Vector{} + float(weights[size_t(first)]);
    Integers number = {};
    for (int i = 1; i < 16; ++i) {
      const float below = weights[size_t(first + (i - 1) * step)],
                  above = weights[size_t(first + i * step)];
      const Integers beyond = x[half] > (below + above) / 2;
      near = beyond ? Vector{} + above : near;
      number -= beyond;
    }
    Vector square = (x[half] - near) * (x[half] - near);
    settle_rounded(square);
    squares += square;
    to.number[half] = size < 0 ? 15 - number : number;
  }
  to.error = sum_of(squares);
  to.size = size;
}

/// The better one of four sizes for a group, x: its weights as int8, not yet rounded.
DOCSPEC_INLINE void best_choice(const Vector (&x)[2], Int4Choice& best) {
  float outmost = 0;
  for (const Vector& half : x)
    for (int i = 0; i < kLanes; ++i)
      if (std::fabs(half[i]) > std::fabs(outmost)) outmost = half[i];
  bool first = true;
  for (const float share : {-1.0f, -0.92f, 1.134f, 1.04f}) {  // of it, at either end of the list
    const float size = std::round(outmost * share);
    Int4Choice choice;
    choose(x, int(std::min(127.0f, std::max(-127.0f, size))), choice);
    if (first || choice.error < best.error) best = choice;
    first = false;
  }
}

}  // namespace

Int4Row to_int4(const float* row, int64_t in, Int4Block* to) {
  return for_each_cpu([=]() DOCSPEC_INLINED {
    float largest = 0;
    for (int64_t i = 0; i < in; ++i) largest = std::max(largest, std::fabs(row[i]));
    const float inverse = largest > 0 ? kLargestInt8 / largest : 0;
    Int4Row out{largest / kLargestInt8, 0};
    for (int64_t first = 0; first < in; first += kInt4Block) {
      Int4Block& block = to[first / kInt4Block];
      for (int group = 0; group < 2; ++group) {
        Vector x[2];
        for (int half = 0; half < 2; ++half) {
          load(x[half], row + first + group * kInt4Group + half * kLanes);
          x[half] *= inverse;
        }
        Int4Choice best;
        best_choice(x, best);
        block.sizes[group] = uint8_t(best.size + 128);
        for (int i = 0; i < kInt4Group; ++i) {
          const int number = best.number[i / kLanes][i % kLanes];
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

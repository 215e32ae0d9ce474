#pragma once

// What the 32 threads of a warp do together. On a GPU that is an instruction; on the host a lane
// asks the others for their parts, so that who holds which number is tested where no GPU is.
#include <cmath>

#include "cuda/numbers.cuh"

namespace docspec::cuda {

/// Operands of the product below as a lane holds them, two bf16 a word (PTX ISA, "mma.m16n8k16").
/// With g = lane / 4 and t = lane % 4, from column 2t on: row g, row g + 8; then both from column
/// 2t + 8 on.
struct LeftPart {
  uint32_t word[4];
};
/// Column g: rows 2t and 2t + 1, rows 2t + 8 and 2t + 9.
struct RightPart {
  uint32_t word[2];
};

/// The threads of a warp; Thread is what each keeps.
template <class Thread>
struct Lanes {
  const Thread* threads = nullptr;  ///< on the host: the warp's 32, as the phase before left them

  /// What a lane keeps. On a GPU a thread sees its own alone: ask for another one's only through
  /// what follows.
  DOCSPEC_HD const Thread& of([[maybe_unused]] int lane, [[maybe_unused]] const Thread& own) const {
#if defined(__CUDA_ARCH__)
    return own;
#else
    return threads[lane];
#endif
  }

  /// get(Thread) of the four lanes of this one's quad, met by `meet`. What `get` reads was written
  /// in an earlier phase.
  template <class Get, class Meet>
  DOCSPEC_HD float over_quad([[maybe_unused]] int lane, [[maybe_unused]] const Thread& own,
                             const Get& get, const Meet& meet) const {
#if defined(__CUDA_ARCH__)
    float x = get(own);
    x = meet(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return meet(x, __shfl_xor_sync(0xffffffffu, x, 2));
#else
    const Thread* quad = threads + lane / 4 * 4;
    const int a = lane % 4;
    const float here = meet(get(quad[a]), get(quad[a ^ 1]));
    return meet(here, meet(get(quad[a ^ 2]), get(quad[a ^ 3])));
#endif
  }
};

/// sum += left * right of a warp: [16, 16] x [16, 8], bf16, summed in f32. A lane holds columns 2t
/// and 2t + 1 of rows g and g + 8 of the sum; left(lane) and right(lane) give its parts.
template <class Left, class Right>
DOCSPEC_HD void multiply(float (&sum)[4], int lane, const Left& left, const Right& right) {
#if defined(__CUDA_ARCH__)
  const LeftPart a = left(lane);
  const RightPart b = right(lane);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b.word[0]),
        "r"(b.word[1]));
#else
  const auto number = [](uint32_t word, int half) {
    return wide(Bfloat16{uint16_t(word >> (16 * half))});
  };
  const int quad = lane / 4 * 4;
  for (int i = 0; i < 4; ++i) {
    const int column = 2 * (lane % 4) + i % 2;
    for (int k = 0; k < 16; ++k) {
      const int holder = k % 8 / 2;
      const LeftPart a = left(quad + holder);
      const RightPart b = right(4 * column + holder);
      sum[i] =
          fmaf(number(a.word[i / 2 + 2 * (k / 8)], k % 2), number(b.word[k / 8], k % 2), sum[i]);
    }
  }
#endif
}

}  // namespace docspec::cuda

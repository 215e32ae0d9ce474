#pragma once

#include <span>

namespace at {
class Tensor;
}

namespace docspec {

struct Linear;

/// x W^T + b of layers whose weights have one type, side by side: [rows, sum of outputs] f32, by
/// the fastest kernel of this processor (core/ops/cpu/cpu_linear.h), on all threads. x: [rows, in]
/// f32, contiguous. A row's bits depend neither on the other rows nor on the threads.
at::Tensor cpu_product(const at::Tensor& x, std::span<const Linear* const> layers);

/// Whether products of bf16 have a unit of their own here (AMX), several times as fast as what
/// ATen takes.
bool multiplies_tiles();

}  // namespace docspec

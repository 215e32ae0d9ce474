#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/ops/ops.h"

namespace docspec {

/// Passes over make_kernel_ops that a GPU would record.
struct KernelPasses {
  std::vector<int64_t> at_load;  ///< GraphCache::rows_at_load
  std::vector<int64_t> rows;     ///< of each pass that was asked for, including padding
};

/// What the CUDA library does of a language model, on the host: its kernels thread by thread over
/// paged caches and padded tables, its recorded passes (run anew each time), proposals as if a pass
/// went on beside them; products are ATen's. f32, heads of 16 or 64. `passes` must outlive it.
std::unique_ptr<Ops> make_kernel_ops(KernelPasses* passes = nullptr);

}  // namespace docspec

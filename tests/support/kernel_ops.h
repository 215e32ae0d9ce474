#pragma once

#include <memory>

#include "core/ops/ops.h"

namespace docspec {

/// What the CUDA library does of a language model, on the host: its kernels thread by thread over
/// paged caches and padded tables, its recorded passes (run anew each time), proposals as if a pass
/// went on beside them; products are ATen's. f32, heads of 16.
std::unique_ptr<Ops> make_kernel_ops();

}  // namespace docspec

#pragma once

#include <c10/cuda/CUDAStream.h>

#include <functional>
#include <memory>

#include "core/ops/ops.h"

namespace docspec::cuda {

/// Calls `work` with `stream` as the current one, which first waits for the one that was current.
///
/// Tensors that `work` makes are in memory of that stream. They may be read on the other one after
/// `wait`, and released at any time after that: their memory is next used by work of `stream`,
/// which then first waits for their readers.
std::unique_ptr<AsyncWork> run_on_stream(const c10::cuda::CUDAStream& stream,
                                         const std::function<void()>& work);

}  // namespace docspec::cuda

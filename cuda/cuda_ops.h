#pragma once

#include <memory>

#include "core/ops.h"

// What libdocspec_cuda.so offers; opened at run time (cli/model_run.cc), never linked.
extern "C" {
/// Number of CUDA devices that libtorch can use, 0 without a driver.
int docspec_cuda_devices();
/// The operations with kernels for f32 tensors of a CUDA device; what they do not take goes to
/// `fallback`, which must outlive them. The caller owns the result. Nullptr, with the reason on
/// stderr, where the kernels do not agree with `fallback` on this device.
docspec::Ops* docspec_make_cuda_ops(const docspec::Ops* fallback);
}

#pragma once

#include <cstddef>
#include <memory>

#include "core/ops/ops.h"

// What libdocspec_cuda.so offers; opened at run time (cli/device.cc), never linked.
extern "C" {
/// Number of CUDA devices that libtorch can use, 0 without a driver.
int docspec_cuda_devices();
/// Writes what devices there are or, where none can be used, why and what to do, as "finding\nfix".
void docspec_cuda_describe(char* text, size_t size);
/// The operations with kernels for tensors of a CUDA device; what they do not take goes to
/// `fallback`, which must outlive them. The caller owns the result. Nullptr, with the reason on
/// stderr, where the kernels do not agree with `fallback` on this device.
docspec::Ops* docspec_make_cuda_ops(const docspec::Ops* fallback);
/// The same without that check: for tests, which say in detail what does not agree.
docspec::Ops* docspec_make_unchecked_cuda_ops(const docspec::Ops* fallback);
}

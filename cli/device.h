#pragma once

#include <memory>
#include <string>

#include "core/ops/ops.h"

namespace docspec {

/// What can be said of CUDA here.
struct CudaState {
  bool usable = false;
  std::string finding;  ///< the devices, or why none can be used
  std::string fix;      ///< what to do about it; empty where there is nothing to do
};

/// Opens the CUDA side, which the binary is not linked with, where NVIDIA's driver is.
CudaState cuda_state();

/// "cpu" or "cuda[:N]" for --device, "auto" told apart: cuda where it can be used. Throws
/// Error(usage) for another word, Error(dependency) where cuda is asked for and cannot be used.
std::string resolve_device(const std::string& device);

/// Kernels for the device's tensors; nullptr on the CPU, and where they do not agree with libtorch.
/// `host` must outlive them.
std::unique_ptr<Ops> make_device_ops(const std::string& device, const Ops& host);

}  // namespace docspec

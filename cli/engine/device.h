#pragma once

#include <memory>
#include <string>

#include "core/ops/ops.h"

namespace docspec {

/// The state of CUDA on this machine.
struct CudaState {
  bool usable = false;
  std::string finding;  ///< the devices, or why none can be used
  std::string fix;      ///< what to do about it; empty where there is nothing to do
};

/// Opens the CUDA side, which the binary is not linked with, once; says why where that fails.
/// Before anything is asked of libtorch: it looks for CUDA only once, and even a seed makes it
/// look.
std::string open_cuda_side();

/// Opens the CUDA side where NVIDIA's driver is.
CudaState cuda_state();

/// "cpu" or "cuda[:N]" for --device; "auto" becomes cuda if it can be used. Throws Error(usage) for
/// another word, Error(dependency) if cuda is asked for and cannot be used.
std::string resolve_device(const std::string& device);

/// What computes there, as it calls itself: the processor, or the GPU.
std::string device_name(const std::string& device);

/// Kernels for the device's tensors; nullptr on the CPU, and where they do not agree with libtorch.
/// `host` must outlive them.
std::unique_ptr<Ops> make_device_ops(const std::string& device, const Ops& host);

}  // namespace docspec

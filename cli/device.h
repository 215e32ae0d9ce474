#pragma once

#include <memory>
#include <string>

#include "core/ops.h"

namespace docspec {

/// "cpu" or "cuda[:N]" for --device, "auto" told apart; opens the CUDA side, which the binary is
/// not linked with. Throws Error(usage) for another word, Error(dependency) where it cannot be
/// opened.
std::string resolve_device(const std::string& device);

/// Kernels for the device's tensors; nullptr on the CPU, and where they do not agree with libtorch.
/// `host` must outlive them.
std::unique_ptr<Ops> make_device_ops(const std::string& device, const Ops& host);

}  // namespace docspec

// Which CUDA devices there are or, where none can be used, why and what to do.
#include <ATen/ATen.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <string>

#include "cuda/cuda_ops.h"

namespace docspec::cuda {
namespace {

/// "13.0" of 13000.
std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string describe() {
  if (!at::detail::getCUDAHooks().hasCUDART())
    return "libtorch looked for CUDA before docspec's CUDA side was opened\nthis is a fault of "
           "docspec; use --device cpu";
  int driver = 0, runtime = 0, count = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0)
    return "NVIDIA's driver does not answer (libcuda.so.1)\ninstall or restart the driver; in a "
           "container, start it with --gpus all";
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorInsufficientDriver)
    return "the driver knows CUDA " + version(driver) + ", docspec needs " + version(runtime) +
           "\nupdate NVIDIA's driver";
  if (error != cudaSuccess || count == 0)
    return std::string("no device can be used: ") +
           (error == cudaSuccess ? "there is none" : cudaGetErrorString(error)) +
           "\nsee nvidia-smi and CUDA_VISIBLE_DEVICES";
  std::string out;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, i);
    const std::string known = std::string(device.name) + ", " +
                              std::to_string(device.totalGlobalMem >> 30) + " GiB, compute " +
                              std::to_string(device.major) + "." + std::to_string(device.minor);
    if (device.major < 8) return known + "\ndocspec's kernels need 8.0 or later; use --device cpu";
    out += (i == 0 ? "" : "; ") + known;
  }
  return out + " (CUDA " + version(driver) + ")\n";
}

}  // namespace
}  // namespace docspec::cuda

int docspec_cuda_devices() {
  return at::hasCUDA() ? int(at::detail::getCUDAHooks().deviceCount()) : 0;
}

void docspec_cuda_describe(char* text, size_t size) {
  const std::string told = docspec::cuda::describe();
  std::snprintf(text, size, "%s", told.c_str());
}

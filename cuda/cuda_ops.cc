// libdocspec_cuda.so: opened at run time by the command line for --device cuda. Linking
// libtorch_cuda here, and only here, gives the process its CUDA tensors; the operations are the
// ATen ones, which take tensors of any device.
#include <ATen/ATen.h>

/// Number of CUDA devices that libtorch can use, 0 without a driver.
extern "C" int docspec_cuda_devices() {
  return at::hasCUDA() ? int(at::detail::getCUDAHooks().deviceCount()) : 0;
}

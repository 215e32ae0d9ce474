#include "tests/gpu/gpu.h"

#include <ATen/ATen.h>
#include <dlfcn.h>

#include <cstdlib>

#include "cli/engine/device.h"
#include "cuda/cuda_ops.h"

namespace docspec::test {

const std::string& gpu_library_fault() {
  static const std::string fault = open_cuda_side();
  return fault;
}

const std::string& gpu_fault() {
  static const std::string fault = [] {
    if (!gpu_library_fault().empty()) return gpu_library_fault();
    const CudaState state = cuda_state();
    return state.usable ? "" : state.finding;
  }();
  return fault;
}

void skip_without_gpu(const std::string& fault) {
  if (std::getenv("DOCSPEC_REQUIRE_GPU")) FAIL() << fault;
  GTEST_SKIP() << "skipped: no CUDA device: " << fault;
}

void OnGpu::SetUp() {
  if (!gpu_fault().empty()) return skip_without_gpu(gpu_fault());
  auto* make = reinterpret_cast<decltype(&docspec_make_unchecked_cuda_ops)>(
      dlsym(RTLD_DEFAULT, "docspec_make_unchecked_cuda_ops"));
  ASSERT_NE(make, nullptr);
  ours_.reset(make(aten_.get()));
  at::manual_seed(1);
}

}  // namespace docspec::test

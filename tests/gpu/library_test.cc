// The CUDA side as a library: whether it opens, as far as that can be told without a driver.
#include <ATen/ATen.h>
#include <dlfcn.h>

#include "cuda/cuda_ops.h"
#include "tests/gpu/gpu.h"

namespace docspec::test {
namespace {

class CudaLibrary : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string& fault = gpu_library_fault();
    if (fault.empty()) return;
    // CUDA's own libraries come with packaging/deps --cuda; all else must be there.
    EXPECT_NE(fault.find("cannot open shared object file"), std::string::npos) << fault;
    skip_without_gpu(fault);
  }
};

TEST_F(CudaLibrary, OpensAsFarAsTheDriver) {
  auto* describe = reinterpret_cast<decltype(&docspec_cuda_describe)>(
      dlsym(RTLD_DEFAULT, "docspec_cuda_describe"));
  ASSERT_NE(describe, nullptr);
  std::string told(2000, '\0');
  describe(told.data(), told.size());
  told.resize(told.find('\0'));
  EXPECT_EQ(told.find("libtorch"), std::string::npos) << told;
  if (!gpu_fault().empty()) {
    EXPECT_NE(told.find("driver"), std::string::npos) << told;
  }
}

TEST_F(CudaLibrary, IsKnownToLibtorchAfterSeedsWereSet) {
  at::manual_seed(4);
  EXPECT_TRUE(at::detail::getCUDAHooks().hasCUDART());
}

}  // namespace
}  // namespace docspec::test

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/ops/ops.h"

namespace docspec::test {

/// Why docspec's CUDA side cannot be used here; empty where it can. The first call opens it, which
/// main() does before a test asks libtorch for anything: libtorch looks for CUDA only once.
const std::string& gpu_fault();
/// The same, but no fault where all is there but the driver.
const std::string& gpu_library_fault();

/// A test that runs on a GPU. Without one it is skipped and, where DOCSPEC_REQUIRE_GPU is set,
/// fails.
class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override;

  const std::unique_ptr<Ops> aten_ = make_aten_ops();
  std::unique_ptr<Ops> ours_;
};

/// Ends the test as OnGpu does.
void skip_without_gpu(const std::string& fault);

}  // namespace docspec::test

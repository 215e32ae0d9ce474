// docspec doctor --gpus, without a GPU: a library stands in for the driver's.
#include <gtest/gtest.h>

#include "tests/support/command.h"

namespace docspec::test {
namespace {

TEST(DoctorGpus, EachGpuIsALineOfWhatTheDriverTells) {
  const auto result =
      docspec({"doctor", "--gpus"}, {.environment = {"LD_LIBRARY_PATH=" DOCSPEC_FAKE_NVML}});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "driver     580.1\n"
            "gpu 0      Fake H1, 20.0 of 80.0 GiB free\n"
            "gpu 1      Fake H1\n");
}

TEST(DoctorGpus, AMachineWithoutOneHasItsExitCode) {
  const auto result =
      docspec({"doctor", "--gpus"}, {.environment = {"LD_LIBRARY_PATH=/nonexistent"}});
  if (result.code == 0) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.out.find("none"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace docspec::test

#include "tests/gpu/gpu.h"

int main(int argc, char** argv) {
  docspec::test::gpu_library_fault();  // first of all
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

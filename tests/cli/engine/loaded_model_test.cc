#include "cli/engine/loaded_model.h"

#include <gtest/gtest.h>

#include "cli/engine/device.h"
#include "core/base/spec.h"
#include "core/decode/registry.h"
#include "core/decode/verify/verifier.h"
#include "core/ops/cpu_quirks.h"

namespace docspec {
namespace {

TEST(ModelRun, IsExactOnlyWhereTheCheckOfTheRowsHeld) {
  Options options;
  const auto exact = make_verifier(parse_spec("--verify", "exact", forms(verifiers())));
  const Spec off = parse_spec("--prune", "off", forms(selectors()));
  EXPECT_STREQ(exactness_of(options, *exact, off, true), "exact");
  EXPECT_STREQ(exactness_of(options, *exact, off, false), "approximate");
}

/// Keys of what is measured hold it: two GPUs behind one processor are two devices.
TEST(ModelRun, NamesTheGpuWhereOneComputes) {
  EXPECT_EQ(device_name("cpu"), cpu_name());
  EXPECT_NE(device_name("cuda"), cpu_name());
}

}  // namespace
}  // namespace docspec

#include <fmt/format.h>

#include "cli/commands.h"
#include "core/model/registry.h"
#include "core/ops.h"

namespace docspec {
namespace {

ExitCode verify(const std::string& folder) {
  const auto ops = make_aten_ops();
  const CheckpointReport report = verify_checkpoint(folder, *ops);
  fmt::print("family      {}\nparameters  {}\n", report.family, report.parameters);
  return ExitCode::ok;
}

}  // namespace

ExitCode model(const Options& options) {
  if (options.inputs.size() != 2)
    throw Error(ExitCode::usage, "write docspec model info DIR, or docspec model verify DIR");
  return verify(options.inputs[1]);
}

}  // namespace docspec

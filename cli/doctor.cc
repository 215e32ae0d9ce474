#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/commands.h"

namespace docspec {
ExitCode doctor(const Options&) {
  return ExitCode::ok;
}
ExitCode model(const Options&) {
  return ExitCode::ok;
}
}  // namespace docspec

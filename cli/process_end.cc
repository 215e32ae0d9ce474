#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/commands.h"

namespace docspec {

std::atomic<bool> interrupted = false;

void throw_if_interrupted() {
  if (interrupted) throw Error(ExitCode::interrupted, "interrupted");
}

void end_without_memory() {
  constexpr std::string_view kLine =
      "docspec: out of memory while it started; raise ulimit -d and -v\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kLine.data(), kLine.size());
  std::_Exit(int(ExitCode::out_of_memory));
}

}  // namespace docspec

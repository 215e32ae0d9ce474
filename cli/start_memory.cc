#include "cli/start_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/base/error.h"

namespace docspec {

void end_without_memory() {
  constexpr std::string_view kLine =
      "docspec: out of memory while it started; raise ulimit -d and -v\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kLine.data(), kLine.size());
  std::_Exit(int(ExitCode::out_of_memory));
}

}  // namespace docspec

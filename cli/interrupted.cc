#include "cli/commands.h"

namespace docspec {

std::atomic<bool> interrupted = false;

void throw_if_interrupted() {
  if (interrupted) throw Error(ExitCode::interrupted, "interrupted");
}

}  // namespace docspec

#include "cli/commands.h"

namespace docspec {

std::atomic<bool> interrupted = false;

}  // namespace docspec

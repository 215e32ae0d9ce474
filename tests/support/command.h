#pragma once

#include <string>
#include <vector>

#include "tests/support/files.h"

namespace docspec::test {

/// What a finished process left.
struct CommandResult {
  int code = -1;  ///< exit code; 128 + N when signal N ended it
  std::string out, err;
};

struct CommandOptions {
  std::string input = {};                     ///< standard input
  std::vector<std::string> environment = {};  ///< "NAME=value", added
  long address_space_mb = 0;                  ///< RLIMIT_AS; 0 = no limit
  std::string working_folder = {};
  std::string interrupt_after = {};  ///< SIGINT once stderr holds this text
};

/// Runs the real docspec binary. DOCSPEC_MODEL is unset and no user configuration is seen.
CommandResult docspec(const std::vector<std::string>& arguments,
                      const CommandOptions& options = {});
/// Runs any program found on PATH.
CommandResult run_program(const std::vector<std::string>& command,
                          const CommandOptions& options = {});

}  // namespace docspec::test

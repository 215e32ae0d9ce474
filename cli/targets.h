#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags/options.h"

namespace docspec {

/// One input and the files it becomes.
struct Target {
  std::string input;                           ///< path, or "-" = standard input
  std::vector<std::string> formats;            ///< "md", "json"
  std::vector<std::filesystem::path> outputs;  ///< one a format; "-" = standard output
  bool named_by_user = false;                  ///< -o names the file, not its folder
  std::string pages = {};                      ///< of this input; empty = as --pages says
};

/// The inputs of a run (folders walked, sorted), their outputs, and the shard.
struct Plan {
  std::vector<Target> targets;
  std::filesystem::path folder;  ///< output folder of a batch; empty for a single output
  /// Input folders that could not be read, and why: what they hold is not in `targets`.
  std::vector<std::pair<std::string, std::string>> unreadable;
  std::vector<std::string> warnings;  ///< lines about what else was left out
};

/// Throws Error(usage): two inputs with one target (naming both), several inputs without a folder,
/// a format that the suffix and --to disagree on, an output that would replace an input, a PDF or
/// an image; Error(input_file) for a missing input of a single run or an empty folder. Makes the
/// output folders; throws Error(output_file) when it cannot.
Plan plan_targets(const Options& options);

}  // namespace docspec

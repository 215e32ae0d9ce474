#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "cli/flags/options.h"

namespace docspec {

/// A PDF or image by the suffix of its name, in any case.
bool has_input_suffix(const std::filesystem::path& path);

/// Call it before any work. Throws Error(usage) where a file that the run would write is, by
/// whatever name, a file that it reads, or is a PDF or an image. `inputs` and `outputs` are added
/// to what the options name; "-" stands for a standard stream.
void refuse_harmful_outputs(const Options& options, std::span<const std::string> inputs,
                            std::span<const std::filesystem::path> outputs);

/// The names of a run's outputs, so that none of them replaces another one.
class TakenNames {
 public:
  /// Takes `output` for `input`; returns the input that has it already, if one has. Where a folder
  /// holds one file under both names (A.md and a.md on macOS, Windows and their shares), taking one
  /// takes both: of names that are so near the file system is asked, with an empty file that is
  /// removed again.
  std::optional<std::string> take(const std::filesystem::path& output, const std::string& input);

 private:
  struct Taken {
    std::filesystem::path output;
    std::string input;
  };
  std::multimap<std::string, Taken> by_letters_;  ///< by the name without case and composition
};

}  // namespace docspec

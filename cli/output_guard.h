#pragma once

#include <filesystem>
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

}  // namespace docspec

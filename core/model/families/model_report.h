#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace docspec {

class Ops;

/// The output of `docspec model` and its exit code.
struct ModelReport {
  std::string text;  ///< lines "key   value", ending in a newline
  ExitCode code = ExitCode::ok;
};

/// `docspec model info`: family, parameters by dtype, licence, and size and SHA-256 of each file
/// (it reads them whole); the file of `families_folder` (share/families) that tells how it is
/// asked, and why that one. A family that docspec does not know is reported, not an error. Throws
/// Error(dependency) when the folder is no readable checkpoint, Error(interrupted) once
/// `interrupted` is set.
ModelReport model_info(const std::filesystem::path& folder,
                       const std::filesystem::path& families_folder,
                       const std::atomic<bool>* interrupted = nullptr);

/// `docspec model verify`: missing tensors, tensors that the family does not know, and whether
/// tokenizer.json can be read. The code is dependency if something is missing or wrong. Throws
/// Error(dependency) if the folder cannot be verified at all.
ModelReport model_verify(const std::filesystem::path& folder, const Ops& ops);

/// The licence a folder states: `license:` in the front matter of README.md, else the first line of
/// LICENSE, else "unknown: see its model card".
std::string stated_licence(const std::filesystem::path& folder);

}  // namespace docspec

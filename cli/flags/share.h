#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace docspec {

/// docspec's data (families, models): PREFIX/share/docspec beside an installed PREFIX/bin/docspec,
/// or the source tree's share/ for a binary in its build tree; nothing when neither is there.
std::optional<std::filesystem::path> share_folder();

/// The checkpoint folder that `--model` or `--draft model:` names: "builtin" and its sibling
/// "builtin-draft" are docspec's own in its data. Throws Error(dependency) when they are not there.
std::filesystem::path model_folder(const std::string& model);

}  // namespace docspec

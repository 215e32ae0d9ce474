#pragma once

#include <filesystem>
#include <optional>

namespace docspec {

/// docspec's data (families, models): PREFIX/share/docspec beside an installed PREFIX/bin/docspec,
/// or the source tree's share/ for a binary in its build tree; nothing when neither is there.
std::optional<std::filesystem::path> share_folder();

}  // namespace docspec

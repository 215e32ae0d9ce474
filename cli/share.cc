#include "cli/share.h"

namespace docspec {

std::optional<std::filesystem::path> share_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& candidate :
       {binary.parent_path().parent_path() / "share" / "docspec", fs::path(DOCSPEC_BUILD_SHARE)})
    if (fs::is_directory(candidate / "families", error)) return candidate;
  return std::nullopt;
}

}  // namespace docspec

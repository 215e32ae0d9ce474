#include "cli/flags/share.h"

#include "core/base/error.h"

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

std::filesystem::path model_folder(const std::string& model) {
  const char* const own = model == "builtin"         ? "mini"
                          : model == "builtin-draft" ? "mini-draft"
                                                     : nullptr;
  if (!own) return model;
  const auto share = share_folder();
  const std::filesystem::path folder = share ? *share / "models" / own : "";
  if (!share || !std::filesystem::is_regular_file(folder / "model.safetensors"))
    throw Error(ExitCode::dependency,
                "model " + model + ": its files are not beside this docspec (" +
                    (share ? folder.string() : "no share/docspec") + "); install it again");
  return folder;
}

}  // namespace docspec

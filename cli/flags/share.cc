#include "cli/flags/share.h"

#include <cstdlib>
#include <vector>

#include "core/base/error.h"
#include "core/base/suggestion.h"

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

namespace {

/// The folder of a net that packaging/deps --ocr installs; empty when it is not there.
std::filesystem::path installed_net(const char* kind, const char* name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> candidates;
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  if (data && *data)
    candidates.push_back(fs::path(data) / "docspec");
  else if (home && *home)
    candidates.push_back(fs::path(home) / ".local" / "share" / "docspec");
  if (const auto share = share_folder()) candidates.push_back(*share);
  std::error_code error;
  for (const fs::path& candidate : candidates)
    if (fs::is_regular_file(candidate / kind / name / "config.json", error))
      return candidate / kind / name;
  return {};
}

/// Where docspec's data have a model of its own; empty without data.
std::filesystem::path own_model_folder(const char* name) {
  const auto share = share_folder();
  return share ? std::filesystem::path(*share) / "models" / name : std::filesystem::path();
}

bool has_weights(const std::filesystem::path& folder) {
  return !folder.empty() && std::filesystem::is_regular_file(folder / "model.safetensors");
}

}  // namespace

std::filesystem::path ppocr_folder() {
  return installed_net("ocr", "ppocr");
}

std::filesystem::path picodet_folder() {
  return installed_net("layout", "picodet");
}

std::filesystem::path slanet_folder() {
  return installed_net("table", "slanet");
}

std::filesystem::path builtin_model_folder() {
  return has_weights(own_model_folder("mini")) ? own_model_folder("mini") : "";
}

void use_own_tessdata() {
  const auto share = share_folder();
  std::error_code error;
  if (share && std::filesystem::is_directory(*share / "tessdata", error))
    setenv("TESSDATA_PREFIX", (*share / "tessdata").c_str(), 0);
}

std::filesystem::path model_folder(const std::string& model) {
  const char* const own = model == "builtin"         ? "mini"
                          : model == "builtin-draft" ? "mini-draft"
                                                     : nullptr;
  std::error_code error;
  if (!own) {
    constexpr std::string_view kNames[] = {"builtin", "builtin-draft", "none"};
    if (!model.empty() && model != "none" && !std::filesystem::exists(model, error))
      throw Error(ExitCode::dependency, "model " + model + ": there is no such folder" +
                                            did_you_mean(model, kNames) +
                                            "; name a checkpoint folder, builtin or none");
    return model;
  }
  const std::filesystem::path folder = own_model_folder(own);
  if (!has_weights(folder))
    throw Error(ExitCode::dependency, "model " + model +
                                          ": its files are not beside this docspec (" +
                                          (folder.empty() ? "no share/docspec" : folder.string()) +
                                          "); install it again");
  return folder;
}

}  // namespace docspec

#include "core/model/family_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_file.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

/// "reducto/RolmOCR" and "/models/RolmOCR/" -> "RolmOCR".
std::string last_part(const fs::path& name) {
  const fs::path clean = name.has_filename() ? name : name.parent_path();
  return clean.filename().string();
}

bool recognises(const json& file, const std::string& name) {
  const auto names = file.is_object() ? file.find("recognise") : file.end();
  if (!file.is_object() || names == file.end() || !names->is_array() || name.empty()) return false;
  return std::any_of(names->begin(), names->end(), [&](const json& known) {
    return known.is_string() && known.get<std::string>() == name;
  });
}

}  // namespace

std::string family_of_config(const json& config) {
  const std::string type = text(config, "model_type");
  if (type != "mistral3" || !config.contains("architectures")) return type;
  const json& names = config["architectures"];
  const bool lighton = names.is_array() && !names.empty() && names[0].is_string() &&
                       names[0].get<std::string>().starts_with("LightOnO");
  return lighton ? "lighton_ocr" : type;
}

FamilyFile find_family_file(const fs::path& model, const json& config, const json& own,
                            const fs::path& families) {
  std::error_code none;
  const std::string family = family_of_config(config), asked = text(own, "prompts");
  if (!asked.empty()) {
    const fs::path path = families / (asked + ".json");
    if (asked.find('/') != std::string::npos || !fs::exists(path, none))
      throw Error(ExitCode::dependency,
                  fmt::format("{}: prompts: there is no {}", (model / "docspec.json").string(),
                              path.string()));
    return {path, "docspec.json names it"};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(families, none))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& [name, where] :
       {std::pair{last_part(text(config, "_name_or_path")), "_name_or_path of config.json"},
        {last_part(model), "the folder's name"}})
    for (const fs::path& path : files) {
      const json file = read_json(path);
      if (recognises(file, name) && text(file, "model_type") == family)
        return {path, fmt::format("recognised by {}: {}", where, name)};
    }
  return {families / (family + ".json"), "that of its family"};
}

std::optional<double> dpi_of_model(const fs::path& model, const fs::path& families) try {
  std::error_code none;
  const fs::path own_path = model / "docspec.json";
  const json own = fs::exists(own_path, none) ? read_json(own_path) : json();
  const FamilyFile file = find_family_file(model, read_json(model / "config.json"), own, families);
  for (const json& told : {own, read_json(file.path)})
    if (told.is_object() && told.contains("dpi") && told["dpi"].is_number())
      return told["dpi"].get<double>();
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace docspec

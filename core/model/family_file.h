#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace docspec {

/// The family that a config.json names: its model_type. Published LightOnOCR files have that of
/// their vision's family; they are told by their architecture. "" where there is none.
std::string family_of_config(const nlohmann::json& config);

/// The file of share/families that tells how a model is asked (PromptSet).
struct FamilyFile {
  std::filesystem::path path;
  std::string reason;  ///< why it is this one, for reports
};

/// The file that `own` (the model's docspec.json or null) names with "prompts"; else that of a
/// fine-tune, whose "recognise" has the last part of config.json's _name_or_path or of the folder's
/// name and whose model_type is the family; else the family's. Throws Error(dependency) naming the
/// file if `own` names one that is not there.
FamilyFile find_family_file(const std::filesystem::path& model, const nlohmann::json& config,
                            const nlohmann::json& own, const std::filesystem::path& families);

/// The dots per inch in which pages are drawn for this model: key "dpi" of its docspec.json or of
/// its family's file. nullopt where neither has it, and for files that cannot be read: loading the
/// model says what is wrong with them.
std::optional<double> dpi_of_model(const std::filesystem::path& model,
                                   const std::filesystem::path& families);

}  // namespace docspec

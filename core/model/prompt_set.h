#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// How a family is asked: chat layout, the question of each stage, the markup of the answers. Read
/// from share/families/FAMILY.json; a docspec.json in the model's folder overrides key by key.
class PromptSet {
 public:
  /// `family`: the family's file; `model`: the model's docspec.json or null. Throws
  /// Error(dependency) naming `file` and key.
  PromptSet(const nlohmann::json& family, const nlohmann::json& model, const std::string& file);

  /// The whole chat as one string, special tokens written out, the image's placeholder once.
  std::string chat(bool with_image, std::string_view question) const;
  /// What a stage asks: "page", or for the region stage "text", "table", "formula".
  const std::string& question(std::string_view stage) const;

  const std::string& image_token() const { return image_token_; }
  const std::string& dialect() const { return dialect_; }  ///< a name of core/markup's registry
  const std::vector<std::string>& stop() const { return stop_; }  ///< tokens that end an answer

 private:
  std::string file_, image_token_, chat_, image_, dialect_;
  std::vector<std::pair<std::string, std::string>> questions_;
  std::vector<std::string> stop_;
};

}  // namespace docspec

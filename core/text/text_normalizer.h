#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// `text` with each `from` (not empty) replaced by `to`.
std::string replace_all(const std::string& text, const std::string& from, const std::string& to);

/// Throws Error(dependency) where the replacements of a tokenizer.json have made more of `text`
/// than any real one does: a hostile file doubles it at each step.
void refuse_growth(std::string_view text, const std::string& made, const std::string& where);
/// The same for what one replacement puts in.
void refuse_long_replacement(const std::string& content, const std::string& where);

/// The "normalizer" of a tokenizer.json: null, NFC, NFD, NFKC, NFKD, Prepend, Replace (of a plain
/// string), and a Sequence of these.
class TextNormalizer {
 public:
  TextNormalizer() = default;
  /// Throws Error(dependency) naming an unknown type or a missing key.
  TextNormalizer(const nlohmann::json& normalizer, const std::string& where);

  bool empty() const { return steps_.empty(); }
  /// `text` must be valid UTF-8.
  std::string apply(std::string_view text) const;

 private:
  void add(const nlohmann::json& step, const std::string& where);
  std::vector<std::function<std::string(std::string)>> steps_;
  std::string where_;
};

}  // namespace docspec

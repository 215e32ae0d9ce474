#pragma once

#include <deque>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// Pieces of a text that are tokenized each by itself. The views point into the text that was split
/// or, where a step changed it, into `owned`.
struct Pieces {
  std::vector<std::string_view> views;
  std::deque<std::string> owned;
};

/// The "pre_tokenizer" of a tokenizer.json: null, Split (Regex or String, all behaviours),
/// ByteLevel, Digits, Metaspace, and a Sequence of these.
class PreTokenizer {
 public:
  PreTokenizer() = default;
  /// Throws Error(dependency) naming an unknown type, a missing key or a bad pattern.
  PreTokenizer(const nlohmann::json& pre_tokenizer, const std::string& where);

  /// True when pieces are to be read as bytes (a ByteLevel step is last). The step's byte
  /// characters are not applied here: the vocabulary is looked up by bytes.
  bool byte_level() const { return byte_level_; }
  /// Splits valid UTF-8. `at_start`: nothing comes before `text` in the input.
  Pieces split(std::string_view text, bool at_start) const;

 private:
  using Step = std::function<void(Pieces&, bool at_start)>;
  void add(const nlohmann::json& step, const std::string& where);
  void add_byte_level(const nlohmann::json& step, const std::string& where);
  void add_metaspace(const nlohmann::json& step, const std::string& where);

  std::vector<Step> steps_;
  bool byte_level_ = false;
};

}  // namespace docspec

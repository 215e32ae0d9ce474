#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// Rotary settings, from `rope_parameters` (transformers 5) or `rope_scaling` + `rope_theta` (Hub).
struct RopeConfig {
  double theta = 10000;
  std::string type = "default";        ///< "default", "mrope", "axial", "yarn", ...
  std::vector<int64_t> mrope_section;  ///< or xdrope_section; empty when not multimodal
  double alpha = 0;                    ///< of type "dynamic" or "xdrope"; 0 = none
  double partial = 0;                  ///< share of a head that turns; 0 = not said
};

/// Typed look at one section of a config.json in either layout: nested, as transformers 5 writes
/// it, or flat, as published on the Hub. Each getter throws Error(dependency) that names file and
/// key: "config.json: missing key 'hidden_size' (looked in text_config and at top level)". Keeps
/// pointers into `root`, which must outlive it.
class ConfigReader {
 public:
  /// The top level. `file` is the name used in messages.
  explicit ConfigReader(const nlohmann::json& root, std::string file = "config.json");

  /// The language model's keys: `text_config` (or DeepSeek's `language_config`) first, then the
  /// top level.
  ConfigReader text() const;
  /// The vision tower's keys: `vision_config` alone. Throws when there is none.
  ConfigReader vision() const;
  /// The keys of the object `key` alone. Throws when there is none.
  ConfigReader section(std::string_view key) const;

  /// True when the key is there and not null.
  bool has(std::string_view key) const;
  int64_t integer(std::string_view key) const;
  int64_t integer(std::string_view key, int64_t fallback) const;
  /// A size: an integer in 1 .. 2^31 - 1.
  int64_t count(std::string_view key) const;
  int64_t count(std::string_view key, int64_t fallback) const;
  double number(std::string_view key) const;
  double number(std::string_view key, double fallback) const;
  bool boolean(std::string_view key) const;
  bool boolean(std::string_view key, bool fallback) const;
  std::string string(std::string_view key) const;
  std::string string(std::string_view key, std::string_view fallback) const;
  std::vector<int64_t> integers(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;

  /// `dtype` or `torch_dtype`, without "torch."; nothing when neither is set.
  std::optional<std::string> dtype() const;
  RopeConfig rope() const;

 private:
  struct Section {
    std::string name;  // "" = top level
    const nlohmann::json* object;
  };
  ConfigReader(std::string file, std::vector<Section> sections);
  const nlohmann::json* lookup(std::string_view key) const;
  const nlohmann::json& require(std::string_view key) const;
  [[noreturn]] void wrong(std::string_view key, const nlohmann::json& value,
                          const char* expected) const;

  std::string file_;
  std::vector<Section> sections_;
};

/// Throws Error(dependency) for keys that are there and that no model of ours can have.
[[noreturn]] void throw_unsupported_config(const std::string& message);

}  // namespace docspec

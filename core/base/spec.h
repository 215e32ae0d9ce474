#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.h"

namespace docspec {

/// A name that an axis of choice offers and the settings it takes: "key=default,key=default". A key
/// without "=" comes first and is positional: form {"replay", "FILE"} reads "replay:a.json".
struct SpecForm {
  std::string_view name;
  std::string_view settings = "";
};

/// One choice as the user made it, `NAME[:key=value[,key=value]]`, its defaults filled in.
struct Spec {
  std::string axis;  ///< the flag it came from, for messages: "--verify"
  std::string name;
  std::map<std::string, std::string, std::less<>> settings;

  /// The value of a key of the form, "" when it was not given and has no default.
  const std::string& text(std::string_view key) const;
  /// The value as a number within [low, high]. Throws Error(usage) naming flag, key and range.
  double number(std::string_view key, double low, double high) const;
  int64_t integer(std::string_view key, int64_t low, int64_t high) const;
  /// Whether the value is `yes` rather than `no`. Throws Error(usage) if it is neither.
  bool either(std::string_view key, std::string_view yes, std::string_view no) const;
};

/// Reads one choice of `axis` ("--verify"). Throws Error(usage) that lists the known names or keys.
Spec parse_spec(std::string_view axis, std::string_view text, std::span<const SpecForm> known);

/// Reads a comma list of choices; a piece `key=value` after a choice with settings belongs to that
/// choice: "retrieval:store=a,scope=run,tesseract" is two. Throws as parse_spec; also on an empty
/// list and on a choice made twice.
std::vector<Spec> parse_spec_list(std::string_view axis, std::string_view text,
                                  std::span<const SpecForm> known);

/// The forms of a registry table, so that a flag is parsed by what its registry offers.
template <typename Make>
std::vector<SpecForm> forms(std::span<const Entry<Make>> table) {
  std::vector<SpecForm> out;
  for (const auto& entry : table) out.push_back({entry.name, entry.settings});
  return out;
}

}  // namespace docspec

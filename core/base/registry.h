#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// One line of a registry. Registries are `constexpr` tables; help, manual, completions, `auto` and
/// the conformance tests are made from them. `Make` is a plain function pointer.
template <typename Make>
struct Entry {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  ///< paper or project it follows; a key of share/doc/papers.md
  bool exact = true;        ///< false: output may differ from the plain decode
  Make make = nullptr;
  std::string_view settings = "";  ///< "key=default,..." for --help; empty when it has none
  bool automatic = false;          ///< `auto` stands for these entries
};

/// The entry called `name`, or nullptr.
template <typename Make>
const Entry<Make>* find(std::span<const Entry<Make>> table, std::string_view name) {
  for (const auto& entry : table)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// "a, b, c": the names for an error message.
template <typename Make>
std::string names(std::span<const Entry<Make>> table) {
  std::string out;
  for (const auto& entry : table) out += (out.empty() ? "" : ", ") + std::string(entry.name);
  return out;
}

/// The names of the entries that `auto` stands for.
template <typename Make>
std::vector<std::string> automatic_names(std::span<const Entry<Make>> table) {
  std::vector<std::string> out;
  for (const auto& entry : table)
    if (entry.automatic) out.emplace_back(entry.name);
  return out;
}

/// The same as "a,b".
template <typename Make>
std::string automatic(std::span<const Entry<Make>> table) {
  std::string out;
  for (const std::string& name : automatic_names(table)) out += (out.empty() ? "" : ",") + name;
  return out;
}

}  // namespace docspec

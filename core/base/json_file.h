#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace docspec {

/// Most bytes of a JSON file: the index of the largest checkpoint that is published has a tenth.
inline constexpr int64_t kMostJsonBytes = 100'000'000;

/// All bytes of a regular file of at most kMostJsonBytes. Throws Error(dependency) naming it when
/// it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Throws Error(dependency) when JSON is nested so deep that walking it could exhaust the stack.
void refuse_deep_json(std::string_view text, const std::string& where);

/// `text` as JSON. Throws Error(dependency) "WHERE: not JSON: ..." with line and column.
nlohmann::json parse_json(std::string_view text, const std::string& where);

/// The JSON of a file. Throws Error(dependency) naming it when it is unreadable or not JSON.
nlohmann::json read_json(const std::filesystem::path& path);

/// A key of an object. Throws Error(dependency) "WHERE: missing key 'KEY'".
const nlohmann::json& json_member(const nlohmann::json& object, std::string_view key,
                                  const std::string& where);
/// The same for a string value; throws when it is of another type.
std::string json_string(const nlohmann::json& object, std::string_view key,
                        const std::string& where);
/// A string or boolean that may be absent or null; throws when it is of another type.
std::string json_string(const nlohmann::json& object, std::string_view key,
                        std::string_view fallback, const std::string& where);
bool json_bool(const nlohmann::json& object, std::string_view key, bool fallback,
               const std::string& where);

}  // namespace docspec

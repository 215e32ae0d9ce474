#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace docspec {

/// All bytes of a file. Throws Error(dependency) naming it when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// `text` as JSON. Throws Error(dependency) "WHERE: not JSON: ..." with line and column.
nlohmann::json parse_json(std::string_view text, const std::string& where);

/// The JSON of a file. Throws Error(dependency) naming it when it is unreadable or not JSON.
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace docspec

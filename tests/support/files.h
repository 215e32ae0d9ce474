#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace docspec::test {

/// All bytes of a file; "" when it cannot be read.
std::string read_file(const std::filesystem::path& path);
/// Throws std::runtime_error when the file cannot be written.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace docspec::test

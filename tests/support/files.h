#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace docspec::test {

/// The bytes of a file; empty when it cannot be read.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace docspec::test

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace docspec::test {

/// All bytes of a file; "" when it cannot be read.
std::string read_file(const std::filesystem::path& path);
/// A folder of the committed checkpoints with their weights, such as "qwen2_5_vl/nested/model".
/// The build writes them; $DOCSPEC_ORACLE_DIR names another folder that has them.
std::string oracle_folder(const std::string& name);
/// docspec's share/, or $DOCSPEC_SHARE_DIR.
std::string share_dir();
/// Throws std::runtime_error when the file cannot be written.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace docspec::test

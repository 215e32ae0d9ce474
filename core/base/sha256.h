#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

namespace docspec {

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
/// The same of a file's bytes, read in pieces. Throws Error(input_file) when it cannot be read, and
/// Error(interrupted) once `interrupted` is set.
std::string sha256_hex_of_file(const std::filesystem::path& file,
                               const std::atomic<bool>* interrupted = nullptr);

}  // namespace docspec

#pragma once

#include <filesystem>

namespace docspec::test {

/// Writes the safetensors files that model/weights.json (tests/oracle/oracle/weights.py) describes
/// into `folder`. Throws where the file is missing or not as that writes it.
void write_random_weights(const std::filesystem::path& recipe, const std::filesystem::path& folder);

/// Copies tests/data/oracle from `from` to `to`, with the weights of every checkpoint.
void write_oracle_cases(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace docspec::test

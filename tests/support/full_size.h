#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace docspec::test {

using Shapes = std::map<std::string, std::vector<int64_t>>;

/// Names and shapes of all tensors that the family asks for at the sizes of this config.json, of a
/// file that has the tensor `stored`.
Shapes demanded(const nlohmann::json& config, const std::string& preprocessor,
                const std::string& stored = "stray");

int64_t numbers_in(const Shapes& shapes);

/// The memory cell of README's table, GiB at bf16 and int8: the least plan of one job of 8,192
/// tokens beside 0.3 GiB of the program. Arguments as above.
std::string memory_cell(const nlohmann::json& config, const std::string& preprocessor,
                        const std::string& stored = "stray");

}  // namespace docspec::test

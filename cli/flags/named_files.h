#pragma once

#include <string>
#include <vector>

namespace docspec {

/// Files that exist and that a flag's value names, as a whole or as an item of its comma list,
/// after a colon or an equals sign: "replay:drafts.json", "retrieval:store=phrases".
std::vector<std::string> named_files(const std::string& value);

}  // namespace docspec

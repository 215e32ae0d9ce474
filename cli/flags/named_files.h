#pragma once

#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace docspec {

/// Files that exist and that a flag's value names, as a whole or as an item of its comma list,
/// after a colon or an equals sign: "replay:drafts.json", "retrieval:store=phrases".
std::vector<std::string> named_files(const std::string& value);

/// Whether the value of a flag is, or holds, a path, there or not.
bool names_path(const Flag& flag, const std::string& value);

}  // namespace docspec

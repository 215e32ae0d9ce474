#pragma once

#include <string>

namespace docspec {

/// docspec-json(5), from share/schema/*.schema.json. Throws Error(dependency) when they are
/// missing.
std::string json_man_page();

}  // namespace docspec

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace docspec {

/// A file `name` of docspec's folder in the user's cache ($XDG_CACHE_HOME/docspec, else
/// ~/.cache/docspec); nothing when it is not there, cannot be read, or is a link.
std::optional<std::string> read_cache(const std::string& name);

/// Replaces that file whole; a link in its place is replaced, never followed. Returns its path, ""
/// where the folder is unknown or cannot be written: a cache may be missing.
std::string write_cache(const std::string& name, std::string_view bytes);

}  // namespace docspec

#pragma once

#include <string>
#include <string_view>

#include "cli/flags/flags.h"

namespace docspec {

/// Help of one command, or of docspec itself when `command` is null; from the flag table. `all`:
/// every option with its names and settings (of convert when `command` is null).
std::string help_text(const CommandInfo* command, bool all);
/// Version, licences, versions of the libraries.
std::string version_text();
/// A file made from the flag table: "man", "bash", "zsh" or "fish". Throws Error(usage) for others.
/// `docspec generate KIND` prints it; tests fail when the committed file differs.
std::string generated_text(std::string_view kind);

}  // namespace docspec

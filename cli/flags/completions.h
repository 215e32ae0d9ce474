#pragma once

#include <string>
#include <string_view>

namespace docspec {

/// Completions of the command line for "bash", "zsh" or "fish", from the flag table; "" for others.
std::string completion_script(std::string_view shell);

}  // namespace docspec

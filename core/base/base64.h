#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace docspec {

/// RFC 4648 base64 with padding.
std::string to_base64(std::string_view bytes);
/// The inverse of to_base64; nullopt if `text` is not one of its results.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace docspec

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace docspec {

/// The printable stand-ins of byte-level BPE (GPT-2's bytes_to_unicode): each byte is one
/// character. bytes -> characters, UTF-8.
std::string to_byte_characters(std::string_view bytes);
/// Characters -> bytes; nullopt if one of them stands for no byte.
std::optional<std::string> from_byte_characters(std::string_view text);

}  // namespace docspec

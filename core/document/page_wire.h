#pragma once

#include <string>
#include <string_view>

#include "core/document/document.h"

namespace docspec {

/// A page of a document as bytes and back, to the last bit; unpack_page(pack(p)) = p.
std::string pack(const Page& page);
/// Throws Error(internal) for bytes that pack did not write.
Page unpack_page(std::string_view bytes);

}  // namespace docspec

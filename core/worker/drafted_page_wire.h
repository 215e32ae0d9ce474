#pragma once

#include <string>
#include <string_view>

#include "core/document/drafted_page.h"

namespace docspec {

/// A drafted page as bytes and back; unpack(pack(p)) = p. Both cost a copy of the raster.
std::string pack(const DraftedPage& page);
/// Throws Error(internal) for bytes that pack did not write.
DraftedPage unpack_drafted_page(std::string_view bytes);

}  // namespace docspec

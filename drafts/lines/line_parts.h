#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/page/page_image.h"
#include "drafts/lines/gutter.h"

namespace docspec {

/// The gutter that the ink of a page shows whose lines were found and not read yet.
std::optional<Gutter> find_gutter(const PageImage& page, std::span<const Box> lines);

/// Those lines; what runs over the gutter is parted there.
std::vector<Box> part_lines(const PageImage& page, std::span<const Box> lines);

}  // namespace docspec

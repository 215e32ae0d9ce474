#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/page/region.h"

namespace docspec {

/// The kinds of a detector's classes, in their order; nothing for classes that are no region of
/// ours, such as "Form", which holds others. Knows the names of DocLayNet, of Docling's models and
/// of CDLA. `file`: for the message. Throws Error(dependency) that lists the names it does not
/// know.
std::vector<std::optional<RegionKind>> region_kinds(const std::vector<std::string>& names,
                                                    const std::string& file);

}  // namespace docspec

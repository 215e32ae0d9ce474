#pragma once

#include <cstdint>
#include <set>

#include "drafts/ocr/formulas/ink_line.h"

namespace docspec {

/// Marks what is of formulas in a line: letters that stand alone, their indices, signs. `known`:
/// the variables of the page, for letters that may also be initials.
void mark_variables(InkLine& line, const std::set<uint32_t>& known);

}  // namespace docspec

#pragma once

#include <vector>

#include "core/page/region.h"

namespace docspec {

/// Joins neighbouring regions of code: two empty lines do not end a listing, nor does a line that
/// ends left of where those above begin. In a print-out, where
/// nothing else is on the page, what stands side by side is of the same lines. Orders and ids are
/// made anew.
void join_code(std::vector<Region>& regions, double em);

/// Neighbouring parts that a net takes for a table are one, if no grid was found in them.
void join_tables(std::vector<Region>& regions, double em);

}  // namespace docspec

#pragma once

#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Boxes of the page's charts with their labels, in pixels of the frame. A chart is a large piece
/// of ink with little text on it and a scale at its left or right: numbers above each other, in
/// equal steps of value and of place. Needs PageInput::words and PageInput::image, else there are
/// none.
std::vector<Box> find_charts(const PageInput& page);

}  // namespace docspec

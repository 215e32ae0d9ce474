#pragma once

#include <span>

#include "core/document/drafter.h"
#include "drafts/grid/ruled_table.h"

namespace docspec {

/// Whether a grid is a form to write in: its words keep within its cells, two columns and more have
/// some, or the first one has some labels, and the other cells are of one colour, as those of a
/// chart are not. `words`: those in the grid; needs PageInput::image.
bool is_blank_form(const RuledTable& table, std::span<const Box> words, const PageInput& page);

}  // namespace docspec

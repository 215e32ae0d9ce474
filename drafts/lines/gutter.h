#pragma once

#include <optional>
#include <span>

#include "core/page/draft.h"

namespace docspec {

/// The white between two columns of running text, from side to side in pixels.
struct Gutter {
  int x0 = 0, x1 = 0;

  /// Whether two neighbours of a row stand in different columns. A heading that runs across has a
  /// blank there, but a narrower one.
  bool parts(const Box& left, const Box& right) const;
};

/// The gutter of a page whose upright words stand in two columns of running text; nothing for one
/// column, three, or a table.
std::optional<Gutter> find_gutter(std::span<const Word> words);

}  // namespace docspec

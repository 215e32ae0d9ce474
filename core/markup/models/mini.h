#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// The markup of the built-in model: blocks separated by an empty line; "# " and "## " before
/// headings; "- " or a number before list items (on neighbouring lines); tables as pipes; every
/// other character stands for itself. Headers, footers and pictures are left out.
std::unique_ptr<Dialect> make_mini_dialect();

}  // namespace docspec

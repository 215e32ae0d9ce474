#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// The text of region models: a table as OTSL (a tag for each place of the grid: <fcel> and <ecel>
/// a cell with and without text, <lcel>, <ucel> and <xcel> a place that belongs to the cell left of
/// it, above it, or both; <nl> ends a row), everything else as Markdown. No boxes.
std::unique_ptr<Dialect> make_otsl_dialect();

}  // namespace docspec

#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// Chandra 1's HTML ([chandra]): a div for each layout block with `data-bbox="[x0, y0, x1, y1]"` in
/// 1024ths of the page and `data-label`, inside it plain HTML with <math> around LaTeX.
std::unique_ptr<Dialect> make_chandra_html_dialect();
/// Chandra 2's ([chandra]): `data-bbox="x0 y0 x1 y1"` in thousandths, and a few labels more.
std::unique_ptr<Dialect> make_chandra2_html_dialect();

}  // namespace docspec

#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// olmOCR's markup: YAML front matter (language, rotation, whether a table or diagram), then
/// Markdown as one reads it, without escapes: tables in HTML, formulas in \[ \] and \( \), no
/// boxes, no page headers and footers. The front matter is written as for an upright English page
/// of text and left out of what is parsed. Source: [olmocr] prompts.py and FrontMatterOutputFormat.
std::unique_ptr<Dialect> make_olmocr_dialect();

}  // namespace docspec

#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// One HTML file that needs no other: each page's image next to its text, blocks and their boxes
/// linked both ways, and the document's docspec/1 JSON, which parse reads back. Pages without
/// Page::picture show their boxes on blank paper.
std::unique_ptr<OutputFormat> make_html_format();

}  // namespace docspec

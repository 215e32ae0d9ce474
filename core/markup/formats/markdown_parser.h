#pragma once

#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace docspec {

/// Blocks of a Markdown text by page: `<!-- page N -->` opens page N; without marks all is page 1.
/// Headings, list items, pipe and HTML tables, fenced code, $$ formulas, images; the rest is Text.
/// Never throws and never loses text.
std::vector<Page> parse_markdown(std::string_view text);

}  // namespace docspec

#pragma once

#include <string_view>
#include <vector>

#include "core/markup/base/dialect.h"

namespace docspec {

/// Blocks of QwenVL HTML; see Dialect::parse_page. Unknown tags are read as text, an unfinished tag
/// at the end is dropped, text without a tag becomes a Text block without a box.
std::vector<Block> parse_qwen_html(std::string_view text, const PageFrame& frame);

}  // namespace docspec

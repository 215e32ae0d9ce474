#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// Qwen2.5-VL's document HTML: each block a tag with `data-bbox="x0 y0 x1 y1"` in pixels of the
/// image that the model saw, the page in a ```html fence. The markup knows headings, paragraphs,
/// lists, tables, pictures and formulas: captions, footnotes, page headers and footers are written
/// as paragraphs, as the model does, and come back as Text. Source: QwenVL HTML, [qwen2.5-vl]
/// section 2.2.1 and cookbooks/document_parsing.ipynb.
std::unique_ptr<Dialect> make_qwen_html_dialect();

/// Qwen3-VL's: the same tags, boxes in thousandths of the image's sides. Source: user prompt
/// "qwenvl html", [qwen3-vl] cookbooks/document_parsing.ipynb.
std::unique_ptr<Dialect> make_qwen3_html_dialect();

}  // namespace docspec

#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// DeepSeek-OCR's answer to "<|grounding|>": for each block
/// `<|ref|>LABEL<|/ref|><|det|>[[x1, y1, x2, y2]]<|/det|>`, a line feed, its Markdown and " \n\n";
/// coordinates run from 0 to 999 over the page ([deepseek-ocr], run_dpsk_ocr_pdf.py). Titles begin
/// with "# ", sub_titles with "## " or more, formulas stand in `\[ .. \]`, tables are HTML, images
/// have no text. What was asked to be located comes as a LABEL that is no kind of block: that is
/// text. Lists and code have no label: they are written as text, and a list comes back by its
/// marks.
std::unique_ptr<Dialect> make_deepseek_grounding_dialect();
/// Unlimited-OCR's, which has the label before the box:
/// `<|det|>LABEL [x1, y1, x2, y2]<|/det|>` and the text, a line feed between blocks (transformers,
/// processing_unlimited_ocr.py).
std::unique_ptr<Dialect> make_unlimited_grounding_dialect();

}  // namespace docspec

#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// dots.ocr's JSON: a list of {"bbox": [x1, y1, x2, y2], "category": .., "text": ..} in pixels of
/// the image that the model saw, written as Python's json.dumps does ([dots.ocr], prompts.py). Text
/// is inline Markdown with the marks of its kind ("## ", "- ", "$$..$$"), tables are HTML, pictures
/// have no text. Code is no category there: it is written as Text and comes back so. An item that
/// holds a whole list comes back as its items.
std::unique_ptr<Dialect> make_dots_json_dialect();

}  // namespace docspec

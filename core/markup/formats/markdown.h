#pragma once

#include <memory>
#include <string>

#include "core/markup/base/dialect.h"

namespace docspec {

/// The whole document as CommonMark with pipe or HTML tables; when `located` is not null it becomes
/// a copy of the document whose blocks carry their byte range in the returned text.
std::string render_markdown(const Document& document, const RenderOptions& options,
                            Document* located);

std::unique_ptr<Dialect> make_markdown_dialect();
std::unique_ptr<OutputFormat> make_markdown_format();

}  // namespace docspec

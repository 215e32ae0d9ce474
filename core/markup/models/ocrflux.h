#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// OCRFlux's answer ([ocrflux]): a JSON object whose natural_text is the page in Markdown.
std::unique_ptr<Dialect> make_ocrflux_dialect();

}  // namespace docspec

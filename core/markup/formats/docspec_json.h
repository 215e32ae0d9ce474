#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// `docspec/1` JSON (docspec-json(5), share/schema): boxes in points, origin top-left. Reading it
/// back leaves the statistics out: they belong to the run, not to the document.
std::unique_ptr<OutputFormat> make_json_format();

}  // namespace docspec

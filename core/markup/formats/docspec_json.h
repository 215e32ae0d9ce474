#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// `docspec/1` JSON (docspec-json(5), share/docspec.schema.json): boxes in points, origin top-left.
std::unique_ptr<OutputFormat> make_json_format();

}  // namespace docspec

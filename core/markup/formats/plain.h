#pragma once

#include <memory>

#include "core/markup/base/dialect.h"

namespace docspec {

/// The text alone: what a model's plain OCR prompt gives for a crop. A page parses to one Text
/// block.
std::unique_ptr<Dialect> make_plain_dialect();

}  // namespace docspec

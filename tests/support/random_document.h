#pragma once

#include <random>

#include "core/document/document.h"

namespace docspec::test {

/// Text that tries every Markdown special character at every place; no blank lines, no outer
/// blanks.
std::string random_text(std::mt19937& rng, bool one_line);
/// A document whose blocks are of the kinds that Markdown can tell apart.
Document random_document(std::mt19937& rng);

}  // namespace docspec::test

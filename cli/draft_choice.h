#pragma once

#include <string>
#include <vector>

#include "core/spec.h"

namespace docspec {

/// What `--draft` asks for.
struct DraftChoice {
  bool plain = false;       ///< none: plain decoding
  std::vector<Spec> pages;  ///< page drafters, in order
  std::vector<Spec> steps;  ///< sources that speak at every step: draft models, phrases
};

/// Reads `auto`, `none` or a comma list of page drafters, draft models and `auto`, which stands for
/// the text layer and Tesseract. Throws Error(usage) naming what is known.
DraftChoice parse_draft(const std::string& text);

}  // namespace docspec

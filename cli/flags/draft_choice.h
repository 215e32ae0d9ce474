#pragma once

#include <string>
#include <vector>

#include "cli/flags/options.h"
#include "core/base/spec.h"

namespace docspec {

/// What `--draft` asks for.
struct DraftChoice {
  bool plain = false;       ///< none: plain decoding
  std::vector<Spec> pages;  ///< page drafters, in order
  std::vector<Spec> steps;  ///< sources that speak at every step: draft models, phrases

  /// Whether the page's text is proposed, or (plain decoding) at least tells where to look.
  bool page_text() const { return plain || !pages.empty(); }
};

/// Reads `auto`, `none` or a comma list of page drafters, draft models and `auto`, which stands for
/// the text layer and OCR. Throws Error(usage) naming what is known.
DraftChoice parse_draft(const std::string& text);

/// What speaks at every step of a run with these options.
std::vector<Spec> proposer_specs(const Options& options);

}  // namespace docspec

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/page/page_image.h"
#include "core/read/stage.h"

namespace docspec {

/// What one job is about: what the model is shown and asked, and the drafts of the answer. Refers
/// to the regions and drafts of the stage's input.
struct Scope {
  const Region* region = nullptr;  ///< nullptr = the page
  Box frame;                       ///< what the image shows, in pixels of the page's raster
  PageImage image;                 ///< the page or its crop, at the model's size of letters
  double em_px = 0;                ///< of its letters in the page's raster; 0 = unknown
  std::string_view question;       ///< a stage name of the family's prompts
  std::vector<const Draft*> drafts;
};

/// The page as one scope.
Scope page_scope(const StageEngine& engine, const StageInput& input);

/// A scope for each region that has draft text and that the model can take; pictures have none.
std::vector<Scope> region_scopes(const StageEngine& engine, const StageInput& input);

/// Whether reading the scope's region alone may pay: its drafts were read with little confidence. A
/// text layer is never in doubt.
bool low_confidence(const Scope& scope);

/// The region of `draft`; nullptr = it is page-wide.
const Region* region_of(const Draft& draft, std::span<const Region> regions);

/// How coordinates of the model's markup relate to the scope's image.
PageFrame frame_of(const StageEngine& engine, const Scope& scope);

/// A draft as the model would write it in this scope.
DraftTokens tokens_of(const StageEngine& engine, const StageInput& input, const Scope& scope,
                      const PageFrame& frame, const Draft& draft);

/// A job's output as the next stage reads it.
Draft draft_of(const StageEngine& engine, const Scope& scope, const Job& job);

}  // namespace docspec

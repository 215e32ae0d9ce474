#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/page/page_image.h"
#include "core/read/stage.h"

namespace docspec {

/// The subject of one job: the image, the question and the drafts of the answer. Refers to the
/// regions and drafts of the stage's input.
struct Scope {
  const Region* region = nullptr;  ///< nullptr = the page
  Box frame;                  ///< part of the page in the image, in pixels of the page's raster
  PageImage image;            ///< the page or its crop, scaled to the model's glyph size
  double em_px = 0;           ///< glyph size in the page's raster; 0 = unknown
  std::string_view question;  ///< a stage name of the family's prompts
  std::vector<const Draft*> drafts;
  const StageInput* input = nullptr;  ///< of its page
  std::vector<Scope> next_pages;      ///< that one prompt holds after this page; mostly none

  /// The images of the prompt in their order.
  std::vector<const PageImage*> images() const;
};

/// Glyph size of the drafts' words in the page's raster; 0 = unknown.
double page_em_px(std::span<const Draft> drafts);

/// The size in which the model is shown a page whose glyphs have this size: scaled if it was
/// trained for one glyph size.
ImageSize view_size(const Vlm& vlm, const PageImage& page, double em_px);

/// Relation between coordinates of the model's markup and an image: the size after the model's
/// resize.
PageFrame model_frame(const Vlm& vlm, const ImageSize& image);

/// The page as one scope.
Scope page_scope(const StageEngine& engine, const StageInput& input);

/// Several pages as one scope, that of the first one.
Scope pages_scope(const StageEngine& engine, std::span<const StageInput> pages);

/// The page as the model sees it when it finds the regions; without drafts.
Scope layout_scope(const StageEngine& engine, const StageInput& input);

/// A scope for each region that has draft text or that the model has found, and that the model can
/// take; pictures have none.
std::vector<Scope> region_scopes(const StageEngine& engine, const StageInput& input);

/// Whether it may pay to read the region of the scope alone: its drafts have low confidence. A text
/// layer always has high confidence.
bool low_confidence(const Scope& scope);

/// The region of `draft`; nullptr if it is page-wide.
const Region* region_of(const Draft& draft, std::span<const Region> regions);

/// Relation between coordinates of the model's markup and the image of the scope.
PageFrame frame_of(const StageEngine& engine, const Scope& scope);

/// The text with the quotes and hyphens of a keyboard, as some models write them.
std::string with_plain_quotes(const std::string& text);

/// The family's question for a region of this kind.
std::string_view question_of(RegionKind kind);

/// A draft as the model would write it in its answer to `question`. `page`: the raster whose pixels
/// `region` has; nullptr = the draft is page-wide.
std::string written_draft(const Dialect& dialect, std::string_view question, const PageFrame& frame,
                          const PageImage& page, const Region* region, const Draft& draft);

/// The drafts of a page as one answer, in reading order: what the model may write before, between
/// and after the blocks. If it has curly quotes, a second one has straight quotes instead.
std::vector<std::string> written_pages(const Dialect& dialect, const PageFrame& frame,
                                       const PageDrafts& drafts);

/// A draft as the model would write it in this scope. `scope.input->texts` is not nullptr.
DraftTokens tokens_of(const StageEngine& engine, const Scope& scope, const PageFrame& frame,
                      const Draft& draft);

/// A job's output as the next stage reads it.
Draft draft_of(const StageEngine& engine, const Scope& scope, const Job& job);

}  // namespace docspec

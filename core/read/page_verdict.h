#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/page/draft.h"
#include "core/read/runaway_detector.h"
#include "core/read/stage.h"

namespace docspec {

size_t count_words(std::span<const Draft> drafts);

/// Share of the words of `drafts` (with repeats, without ASCII punctuation) that stand in `text`
/// too, its tags aside; 1 without words.
double word_coverage(std::span<const Draft> drafts, std::string_view text);

/// Why a finished text cannot stand as its scope's, "" when it can.
std::string rejection_reason(const Job& job, const std::string& text,
                             std::span<const Draft> drafts);

/// True if a low-margin reading of prose contradicts the PDF's text layer or high-confidence OCR,
/// compared by letters and digits. `margins`: Job::margins. Used by --witness.
bool contradicts_reliable_draft(RegionKind kind, const std::string& text,
                                std::span<const float> margins, std::span<const Draft> drafts);

/// The drafts' tokens, as the witness reads them.
std::vector<TokenIds> ids_of(const Vlm& vlm, std::span<const Draft> drafts);

/// Region results where they can stand, drafts elsewhere.
struct RegionResults {
  PageDrafts drafts;
  size_t read = 0, refused = 0;  ///< regions that the model read; of them, those that keep a draft
};
/// `witness` nullptr = without one.
RegionResults with_region_results(const PageDrafts& drafted, const StageResult& regions,
                                  const Vlm* witness);

/// Whether a model read any of them.
bool any_verified(const PageDrafts& drafts);

/// The text of blocks, a line each; tables as HTML.
std::string text_of(std::span<const Block> blocks);

/// The regions of `known` whose text is not in `blocks`, with their drafts.
PageDrafts not_in(std::span<const Block> blocks, const PageDrafts& known);

}  // namespace docspec

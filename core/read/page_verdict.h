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

/// Share of the words of `drafts` (with repetitions, without ASCII punctuation) that also occur in
/// `text`, its tags left out; 1 without words.
double word_coverage(std::span<const Draft> drafts, std::string_view text);

/// Why a decode has no whole text; "" if it has one.
std::string cut_reason(const Job& job);

/// Why a whole text must be rejected for its scope; "" if it is accepted.
std::string rejection_reason(const std::string& text, std::span<const Draft> drafts);

/// Why the text of a job must be rejected for its scope; "" if it is accepted.
std::string rejection_reason(const Job& job, const std::string& text,
                             std::span<const Draft> drafts);

/// True if a low-margin reading of prose contradicts the PDF's text layer or high-confidence OCR,
/// compared by letters and digits. `margins`: Job::margins. Used by --witness.
bool contradicts_reliable_draft(RegionKind kind, const std::string& text,
                                std::span<const float> margins, std::span<const Draft> drafts);

/// True if a table has fewer than four in five of the letters that the PDF's text layer or
/// high-confidence OCR has there: rows were left out. Used by --witness.
bool lacks_cells(const std::string& table, std::span<const Draft> drafts);

/// Results of regions where they are accepted, drafts elsewhere.
struct RegionResults {
  PageDrafts drafts;
  size_t read = 0, refused = 0;  ///< regions that the model read; those of them that keep a draft
};
/// `witness`: the drafts' texts, which the results are compared with; nullptr = they are not.
RegionResults with_region_results(const PageDrafts& drafted, const StageResult& regions,
                                  TokenizedTexts* witness);

/// Whether a model has read any of them.
bool any_verified(const PageDrafts& drafts);

/// The text of blocks, one per line; tables as HTML.
std::string text_of(std::span<const Block> blocks);

/// The regions of `known` whose text is not in `blocks`, with their drafts.
PageDrafts not_in(std::span<const Block> blocks, const PageDrafts& known);

/// The regions of `some` that a reader would miss in `blocks`: running text and tables of at least
/// three words, by a draft that can be relied on (a region result, the PDF's text layer,
/// high-confidence OCR), and not what a block reads otherwise: one of about their size whose text
/// is in no draft of `known`, the page's.
PageDrafts left_out(std::span<const Block> blocks, const PageDrafts& some, const PageDrafts& known);

/// Gives each block the box of the regions whose words it holds, since drafts have the places of
/// their letters and the boxes of models are rough. A block keeps the model's box if less than half
/// of its words are drafted. A block of text that is one item of a list by the PDF's text layer is
/// an item: models leave out the mark before it.
void take_places(const PageDrafts& known, std::vector<Block>& blocks);

/// Puts the regions of `more` among the blocks of a page: each after the block that holds the
/// region before it in the order of `known`.
void put_in_place(const PageDrafts& more, const PageDrafts& known, std::vector<Block>& blocks);

}  // namespace docspec

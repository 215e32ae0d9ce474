#pragma once

#include <span>
#include <vector>

#include "core/base/spec.h"
#include "core/decode/decoder.h"
#include "core/decode/sample/generation.h"
#include "core/markup/base/dialect.h"
#include "core/page/draft.h"
#include "core/page/text_size.h"
#include "core/read/tokenized_texts.h"

namespace docspec {

class DraftGate;
class Vlm;
struct DraftModel;

enum class Stage {
  /// Each region of the page is read from its crop, as jobs of common batches.
  region,
  /// One job reads the page, with the unordered set of drafts ([hsd-doc] 3.3).
  page,
  /// The page at once, and in the same batch the regions whose drafts have low confidence (poor
  /// OCR). The text of such a region replaces its draft while the page is still being read.
  adaptive,
  /// The model finds the regions. The family's prompts decide whether it is asked; no user does.
  layout,
};

/// Facts that later pages of a document use: acceptance rates and the last outputs. They change
/// proposals only.
struct DocumentMemory {
  static constexpr size_t kPages = 8;
  std::shared_ptr<AcceptanceModel> acceptance_model = std::make_shared<AcceptanceModel>();
  std::vector<std::vector<int32_t>> outputs;  ///< of the last kPages pages, oldest first

  void add_page(std::span<const int32_t> output);
};

/// The input of a stage.
struct StageInput {
  const PageImage* image = nullptr;  ///< the page's raster; boxes of regions are its pixels
  std::span<const Region> regions;
  std::span<const Draft> drafts;     ///< text per region (or page-wide), in any order
  DocumentMemory* memory = nullptr;  ///< of the document's pages so far; nullptr = none
  TokenizedTexts* texts = nullptr;   ///< of the page's stages; nullptr = of this stage alone
  /// Glyph size in the raster: that of the first stage's drafts, so that all stages show the page
  /// in one size; 0 = measured on the words of `drafts`.
  double em_px = 0;
};

/// The settings of a run; references must outlive the stage.
struct StageEngine {
  const Vlm& vlm;
  const Ops& ops;
  const Dialect& dialect;
  const Verifier& verifier;
  std::span<const Spec> proposers;  ///< none = plain decoding
  Generation generation;
  DecodeOptions decode;
  bool explain = false;  ///< record why tokens were rejected
  /// Small models that `proposers` may name.
  std::span<const DraftModel> draft_models = {};
  /// If false, page drafts define regions but are not proposed as tokens.
  bool page_drafts = true;
  /// Returns the cost curve of this machine. Called once per stage that has proposers, with the
  /// cache of its first job, to which it may append rows that are never committed. Empty =
  /// decode.cost.
  std::function<CostCurve(KvCache&)> cost = {};
  /// Makes the selector of visual rows for a batch of jobs; empty = full attention.
  std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector = {};
  /// Decides whether the model's MTP layer pays; nullptr = it is not used.
  DraftGate* mtp_gate = nullptr;
  /// Called in prefills and images, on a CPU before each product; throws once the page took too
  /// long. decode.before_pass does it between passes. Empty = no limit.
  std::function<void()> page_limit = {};
};

struct StageResult {
  /// The text of the model, with the source "verified". region: one draft per region, in neutral
  /// markup. page and layout: one page-wide draft in the model's own markup. adaptive: that of the
  /// page, then those of its regions.
  std::vector<Draft> drafts;
  std::vector<Job> jobs;  ///< in the order of `drafts`
  DecodeStats stats;      ///< with the milliseconds of "vision", "prefill", "drafts" and decode()
  /// adaptive: counts of the regions' jobs and the milliseconds of their prefill. Their forwards
  /// are counted for the page.
  DecodeStats region_stats;
};

/// Runs one stage. Each scope (the page or a region, scope.h) becomes a job: prompt, prefill, and
/// proposers over the drafts in scope as the model would write them. All jobs are decoded together,
/// at most decode.max_batch at a time: as many as are prefilled join before a pass, with a page
/// one. Skipped are pictures, regions without draft text
/// (unless the model is one that finds regions), those that the model cannot take, and by the stage
/// adaptive those that are unread when the page ends. If the model was trained for it, light is
/// evened out and specks are removed first. The output of a page joins `memory`. The jobs of the
/// result have no caches. Throws what the model throws.
Task<StageResult> run_stage(BatchSlot& slot, Stage stage, const StageEngine& engine,
                            const StageInput& input);

/// The stage page of several pages with one prompt, the question "pages": one job and one draft, in
/// which PromptSet::page_mark stands before each page. `pages`: with texts; the memory is that of
/// the first one. The answer is bound by the rule against repeated n-grams of `engine`. Throws what
/// the model throws.
Task<StageResult> read_pages(BatchSlot& slot, const StageEngine& engine,
                             std::span<const StageInput> pages);

/// The same for one page alone.
StageResult run_stage(Stage stage, const StageEngine& engine, const StageInput& input);

}  // namespace docspec

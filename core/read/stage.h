#pragma once

#include <span>
#include <vector>

#include "core/base/spec.h"
#include "core/decode/decoder.h"
#include "core/decode/sample/generation.h"
#include "core/markup/base/dialect.h"
#include "core/page/draft.h"
#include "core/page/text_size.h"

namespace docspec {

class Vlm;
struct DraftModel;

/// region: each region of the page is read from its crop, all as jobs of ONE batch. page: one job
/// that reads the page, with the unordered set of drafts ([hsd-doc] 3.3). adaptive: the page at
/// once, and in the same batch the regions whose drafts are doubtful (poor OCR); what one of them
/// yields replaces its draft while the page is still being read.
enum class Stage { region, page, adaptive };

/// What the pages of one document teach those that follow; steers proposals only.
struct DocumentMemory {
  static constexpr size_t kPages = 8;
  std::shared_ptr<AcceptanceModel> acceptance_model = std::make_shared<AcceptanceModel>();
  std::vector<std::vector<int32_t>> pages;  ///< outputs of the last kPages pages, oldest first

  void add_page(std::span<const int32_t> output);
};

/// What both stages read.
struct StageInput {
  const PageImage* image = nullptr;  ///< the page's raster; boxes of regions are its pixels
  std::span<const Region> regions;
  std::span<const Draft> drafts;     ///< text per region (or page-wide); the order must not matter
  DocumentMemory* memory = nullptr;  ///< of the document's pages so far; nullptr = none
};

/// What a run has chosen once; references outlive the stage.
struct StageEngine {
  const Vlm& vlm;
  const Ops& ops;
  const Dialect& dialect;
  const Verifier& verifier;
  std::span<const Spec> proposers;  ///< none = plain decoding
  Generation generation;
  DecodeOptions decode;
  bool explain = false;  ///< keep why tokens were turned down
  /// Small models that `proposers` may name.
  std::span<const DraftModel> draft_models = {};
  /// If false, page drafts define regions but are not proposed as tokens.
  bool page_drafts = true;
  /// The cost curve of this machine, asked for once a stage with a cache that it may measure
  /// behind; empty = decode.cost.
  std::function<CostCurve(KvCache&)> cost = {};
  /// Makes what chooses the visual rows of a batch of jobs; empty = all passes see all of them.
  std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector = {};
};

struct StageResult {
  /// Source "verified". region: one draft a region, in neutral markup. page: one page-wide draft,
  /// the model's own markup as it wrote it. adaptive: the page's, then those of its regions.
  std::vector<Draft> drafts;
  std::vector<Job> jobs;  ///< in the order of `drafts`: ids, steps, refusals
  DecodeStats stats;  ///< with the milliseconds of "vision" and "prefill" beside those of decode
  /// adaptive: counts of its regions' jobs and the milliseconds of their prefill; their passes are
  /// the page's.
  DecodeStats region_stats;
};

/// The size in which the model is shown a page: scaled where it was trained for one size of
/// letters.
ImageSize view_size(const Vlm& vlm, const PageImage& page, std::span<const Draft> drafts);

/// How the coordinates of the model's markup relate to an image: the size after the model's resize.
PageFrame model_frame(const Vlm& vlm, const ImageSize& image);

/// Runs one stage: a job per scope = prompt, prefill, proposers over the drafts in scope as the
/// model would write them; all decoded together, but no more than decode.max_batch at once. A job
/// joins as soon as it is prefilled and has a place: decoding begins with the first one; adaptive
/// leaves out regions that are still unread when the page has ended. The region
/// stage leaves out figures, regions without draft text and crops that the model cannot take. The
/// jobs of the result have no caches. Throws what the model throws.
Task<StageResult> run_stage(BatchSlot& slot, Stage stage, const StageEngine& engine,
                            const StageInput& input);

/// The same of one page alone.
StageResult run_stage(Stage stage, const StageEngine& engine, const StageInput& input);

}  // namespace docspec

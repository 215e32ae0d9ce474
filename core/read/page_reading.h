#pragma once

#include <string>
#include <vector>

#include "core/letters/words/read_words.h"
#include "core/read/scope.h"
#include "core/read/vlm_reader.h"

namespace docspec {

/// The state of one page on its way through the stages. Members are made in this order: the view
/// needs the engine.
struct VlmReader::PageReading {
  /// `pages`: that share the slot.
  PageReading(VlmReader& reader, VlmDocumentState& state, const DraftedPage& drafted_page,
              Page& result, BatchSlot& batch_slot, size_t pages)
      : document(state),
        drafted(drafted_page),
        page(result),
        slot(batch_slot),
        page_engine(reader.with_page_limit(slot, pages)),
        em_px(page_em_px(drafted.drafts.drafts)),
        view(view_size(page_engine.vlm, *drafted.image, em_px)),
        drafts(drafted.drafts),
        texts(page_engine.vlm.tokenizer()) {
    bench.input = state.input;
    bench.page = page.page;
    for (const auto& [phase, ms] : drafted.timings_ms)
      (phase == "raster" ? bench.raster_ms : bench.draft_ms) += ms;
  }

  /// The input of a stage; `image` and `shown`: of the page, or of its crops.
  StageInput input(const PageImage& image, const PageDrafts& shown) {
    return {&image, shown.regions, shown.drafts, &document.memory, &texts, em_px};
  }

  VlmDocumentState& document;
  const DraftedPage& drafted;
  Page& page;
  BatchSlot& slot;
  StageEngine page_engine;      ///< with the time limit of the page
  double em_px;                 ///< glyph size in the page's raster; 0 = unknown
  ImageSize view;               ///< the size in which the model is shown the page
  PageDrafts drafts;            ///< the drafts; region results take their place
  TokenizedTexts texts;         ///< of all its stages and of the witness
  bool cut = false;             ///< a runaway text was cut: the page has its blocks and its failure
  std::string rejection;        ///< why the model's text is rejected; empty = it is not
  std::vector<ReadWord> words;  ///< of the model's last text, with its margins
  BenchPage bench;
};

}  // namespace docspec

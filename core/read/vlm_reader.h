#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_budget.h"
#include "core/pipeline.h"
#include "core/read/bench.h"
#include "core/read/stage.h"

namespace docspec {

class CropView;

/// What a run asks of the model; references outlive the reader.
struct VlmReaderOptions {
  std::vector<Stage> stages;  ///< in order; the last one's text is the page's
  /// "exact": ids are those of plain decoding; "lossless": their distribution is; "approximate".
  /// For stats.
  std::string exactness = "exact";
  bool bench = false;   ///< decode each page plain first, for comparison
  bool witness = true;  ///< verify finished text by the page's drafts
  size_t pages = 1;     ///< read at a time; 1 for a bench and where jobs are noted in order
  /// Seconds that a page may take: its own, and its share of common passes.
  std::optional<double> page_timeout = {};
  /// A benchmark waits until nothing is drafted; nullptr = does not wait.
  const ThreadBudget* threads = nullptr;
  /// Called with each finished job, for --trace and --explain; may be empty.
  std::function<void(const Job&)> on_job;
};

/// A model reads pages: region stage, page stage, markup to blocks ([hsd-doc] 3.3). Each stage
/// takes and gives Drafts. A page whose text cannot stand (cut off at the token limit, empty, or
/// unlike what the page's drafts say) falls back: region results, then drafts. With the witness a
/// blank page is not read, and of text that runs away the part up to the last agreed point stands;
/// regions that are not in it are read alone. Ids, traces and the bench are those before it.
class VlmReader : public PageReader {
 public:
  VlmReader(const StageEngine& engine, VlmReaderOptions options);

  std::unique_ptr<DocumentState> begin_document() override {
    return std::make_unique<VlmDocumentState>();
  }
  Task<void> read(DocumentState& state, const DraftedPage& drafted, Page& page) override;
  bool has_free_slot() const override { return scheduler_.has_free_slot(); }
  bool step() override { return scheduler_.step(); }
  std::string stats_json(const DocumentState& state) const override;

  /// Counts of all pages so far: of the page stage, of the region stage.
  const DecodeStats& stats() const { return stats_; }
  const DecodeStats& region_stats() const { return region_stats_; }
  const std::vector<BenchPage>& bench_pages() const { return bench_pages_; }

 private:
  struct VlmDocumentState : DocumentState {
    DocumentMemory memory;
    DecodeStats pages, regions;  ///< of the page stage, of the region stage
  };

  struct PageReading;

  std::vector<Stage> stages_for(const ImageSize& view) const;
  void read_plain(Stage last, PageReading& reading) const;
  void count(Stage stage, bool last, const StageResult& result, PageReading& reading);
  void take_regions(const StageResult& result, const CropView* crops, PageReading& reading) const;
  Task<void> take_page(const StageResult& result, PageReading& reading) const;
  Task<bool> cut_runaway(PageReading& reading, const StageResult& result) const;
  Task<PageDrafts> read_alone(PageReading& reading, PageDrafts rest) const;
  StageEngine timed(const BatchSlot& slot) const;
  void settle(PageReading& reading) const;
  void keep_bench(PageReading& reading);

  const StageEngine& engine_;
  VlmReaderOptions options_;
  BatchScheduler scheduler_;
  DecodeStats stats_, region_stats_;  ///< of the run
  std::vector<BenchPage> bench_pages_;
};

}  // namespace docspec

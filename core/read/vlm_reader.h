#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_budget.h"
#include "core/letters/reconcile.h"
#include "core/pipeline.h"
#include "core/read/bench.h"
#include "core/read/stage.h"

namespace docspec {

class CropView;

/// The settings of a reader; what its pointers name must outlive the reader.
struct VlmReaderOptions {
  std::vector<Stage> stages;  ///< in order; the text of the last one is that of the page
  /// Relation of the output to plain decoding, for statistics. "exact": the same ids; "lossless":
  /// the same distribution; "approximate": neither.
  std::string exactness = "exact";
  bool bench = false;     ///< decode each page plain first, for comparison
  bool witness = true;    ///< check finished text against the page's drafts
  size_t most_pages = 1;  ///< read at a time; 1 for a bench and for reports of jobs
  /// Seconds that the decoding of a page may take, with its share of common passes.
  std::optional<double> page_timeout = {};
  /// A benchmark waits until nothing is drafted; nullptr = it does not wait.
  const ThreadBudget* threads = nullptr;
  /// Called with each finished job, for --trace and --explain; may be empty.
  std::function<void(const Job&)> on_job;
  /// Whether the letters of the model or those of the text layer stand, after the ids are final.
  LetterRule letters = LetterRule::automatic;
  Drafter* ocr =
      nullptr;  ///< reads words on which model and text layer differ; nullptr = none does
};

/// Reads pages with a model: region stage, page stage, markup to blocks ([hsd-doc] 3.3). The region
/// stage gives drafts for the page stage, which gives the blocks. If the text of a page is rejected
/// (cut off at the token limit, empty, or unlike the drafts), the page falls back to region
/// results, then to drafts. With the witness (the drafts, as a check of finished text), a blank
/// page is not read, and a runaway text is cut at the last agreed point; regions that it lacks are
/// read alone. Last, its letters are reconciled with the page. Ids and traces show the model's text
/// before the cut; the bench's Markdown is that after the cut, before the letters.
class VlmReader : public PageReader {
 public:
  VlmReader(const StageEngine& engine, VlmReaderOptions options);

  Task<void> read(DocumentState& state, const DraftedPage& drafted, Page& page) override;
  /// Each page's region stage if there is one, then one prompt for all. A page whose part of the
  /// answer is missing or rejected falls back to region results, then to drafts; if the answer is
  /// cut off, those that it has finished stand.
  Task<void> read_together(DocumentState& state, std::span<const PageToRead> pages) override;
  bool has_free_slot() const override { return scheduler_.has_free_slot(); }
  bool run_pass() override { return scheduler_.run_pass(); }
  std::optional<ReadingStats> document_stats(const DocumentState& state) const override;

  /// Counts of all pages of the run so far: of the page's job; of layout's and all regions' jobs.
  const DecodeStats& page_stats() const { return page_stats_; }
  const DecodeStats& region_stats() const { return region_stats_; }
  const std::vector<BenchPage>& bench_pages() const { return bench_pages_; }

 private:
  struct VlmDocumentState : DocumentState {
    DocumentMemory memory;
    DecodeStats page_stats, region_stats;  ///< as of the run
  };

  struct PageReading;

  std::unique_ptr<DocumentState> make_state() const override {
    return std::make_unique<VlmDocumentState>();
  }

  // `read` and `read_together` call, in this order: stages_for, find_regions, read_plain;
  // run_one, which after each stage calls count, take_regions and take_page, or count_together and
  // take_answer; at the end add_left_out, settle, keep_bench, set_letters.
  std::vector<Stage> stages_for(const ImageSize& view) const;
  Task<void> find_regions(PageReading& reading);
  void read_plain(Stage last, PageReading& reading) const;
  Task<void> run_one(Stage stage, bool last, PageReading& reading);
  void count(Stage stage, bool last, const StageResult& result, PageReading& reading);
  void take_regions(const StageResult& result, const CropView* crops, PageReading& reading) const;
  Task<void> take_page(const StageResult& result, PageReading& reading) const;
  Task<bool> cut_runaway(PageReading& reading, const StageResult& result) const;
  Task<PageDrafts> read_alone(PageReading& reading, PageDrafts rest) const;
  void count_together(const StageResult& result, std::span<PageReading* const> readings);
  void take_answer(const StageResult& result, std::span<PageReading* const> readings) const;
  void accept(std::string_view text, PageReading& reading) const;
  Task<void> add_left_out(PageReading& reading) const;
  StageEngine with_page_limit(const BatchSlot& slot, size_t pages) const;
  void settle(PageReading& reading) const;
  void start_ocr(const DraftedPage& drafted);
  void set_letters(PageReading& reading);
  void keep_bench(PageReading& reading);

  const StageEngine& engine_;
  VlmReaderOptions options_;
  BatchScheduler scheduler_;
  DecodeStats page_stats_, region_stats_;  ///< of the run
  std::vector<BenchPage> bench_pages_;
  bool ocr_started_ = false;
  std::future<void> ocr_start_;  ///< of options_.ocr, until it is waited for
};

}  // namespace docspec

#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/task.h"
#include "core/base/thread_budget.h"
#include "core/document/document.h"
#include "core/document/drafted_page.h"
#include "core/document_scheduler.h"
#include "core/input/document_reader.h"
#include "core/page_window.h"

namespace docspec {

/// Turns a drafted page into its result: the drafts themselves, or the text of a model that
/// verifies them.
class PageReader {
 public:
  /// The state that a reader keeps of one document.
  struct DocumentState {
    std::string input;  ///< its name in reports
    virtual ~DocumentState() = default;
  };

  virtual ~PageReader() = default;
  /// Called before the pages of a document.
  virtual std::unique_ptr<DocumentState> begin_document() {
    return std::make_unique<DocumentState>();
  }
  /// Fills blocks, level, coverage and, if the text is not whole, status and failure of `page`;
  /// adds its phases to timings_ms. If it throws, the page falls back to its drafts. The task may
  /// wait until `step` resumes it; the arguments must outlive the task.
  virtual Task<void> read(DocumentState& state, const DraftedPage& drafted, Page& page) = 0;
  /// Whether it can read one more page in parallel.
  virtual bool has_free_slot() const { return true; }
  /// Runs one pass of the pages that wait; returns false if none does.
  virtual bool step() { return false; }
  /// The statistics of a document so far; nullopt if no model reads it.
  virtual std::optional<ReadingStats> stats(const DocumentState&) const { return std::nullopt; }
};

/// The reader of `--model none`: the drafts are the result.
std::unique_ptr<PageReader> make_draft_reader();

/// The conversion of one document.
struct DocumentJob {
  std::shared_ptr<const InputBytes> input;
  std::string sha256;              ///< of the input's bytes
  int page_count = 0;              ///< of the whole document
  std::optional<ModelInfo> model;  ///< for the document; none = drafts alone
  std::vector<int> pages;          ///< to convert, ascending
  int workers = 1;                 ///< drafting threads
  /// Called once in each drafting thread; its result drafts pages in that thread.
  std::function<std::function<DraftedPage(int page)>()> make_drafter;
  ThreadBudget* threads = nullptr;  ///< counts drafting threads; may be nullptr
  PageReader* reader = nullptr;
  /// Pages of an earlier run, which are used as they are. May be nullptr; must outlive the job.
  const std::map<int, Page>* known = nullptr;
  /// Whether a known page lacks the files that `on_read` adds: it is drafted again for them, not
  /// read. May be empty.
  std::function<bool(const Page&)> lacks_files;
  /// Called after a page was read, with its drafts: adds the files of the page (figures, overlays,
  /// the picture of the viewer). An exception fails the page; for a known page it is ignored. May
  /// be empty.
  std::function<void(const DraftedPage&, Page&)> on_read;
  /// Called after each page; pages that are read in parallel end in any order. `known`: an earlier
  /// run has read it.
  std::function<void(const Page&, bool known)> on_page;
  /// If set, pages that are not read yet fail at once, and at a known page that lacks files the
  /// document ends with Error(interrupted).
  const std::atomic<bool>* interrupted = nullptr;
};

/// Drafts `pages` in advance on job.workers threads and returns them in that order.
PageWindow<DraftedPage> drafted_pages(const DocumentJob& job, std::vector<int> pages,
                                      ThreadLimiter* limiter = nullptr);

/// Stores `e` as the failure of a page.
void fail(Page& page, PageStatus status, const std::exception& e);
/// Whether `e` would fail each page of the document (Error(dependency), Error(out_of_memory)).
bool ends_document(const std::exception& e);

/// Reads the pages in order, as many in parallel as the reader takes, while the next ones are
/// drafted. At most workers + 1 drafted pages and the pages that are being read are in memory. The
/// failure of a page is data: the page falls back to its drafts, or fails if they have no text.
/// Only errors that would fail each page (`ends_document`) and an interruption end the document. It
/// yields when it can do nothing, so that other documents of the scheduler run.
Task<Document> convert_document(const DocumentJob& job, DocumentScheduler& scheduler);

/// The same for one document alone.
Document convert_document(const DocumentJob& job);

}  // namespace docspec

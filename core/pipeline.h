#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
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

/// A page that a reader is given, and its result.
struct PageToRead {
  const DraftedPage* drafted = nullptr;
  Page* page = nullptr;
};

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
  /// Called before the pages of the document `input`.
  std::unique_ptr<DocumentState> begin_document(std::string input) {
    std::unique_ptr<DocumentState> state = make_state();
    state->input = std::move(input);
    return state;
  }
  /// Fills blocks, level, coverage and, if the text is not whole, status and failure of `page`;
  /// adds its phases to timings_ms. If it throws, the drafts become the result. The task may wait
  /// until `run_pass` resumes it; the arguments must outlive the task.
  virtual Task<void> read(DocumentState& state, const DraftedPage& drafted, Page& page) = 0;
  /// The same for at least two pages that one prompt holds (DocumentConversion::pages_per_prompt).
  virtual Task<void> read_together(DocumentState& state, std::span<const PageToRead> pages);
  /// Whether it can read one more page, or prompt, in parallel.
  virtual bool has_free_slot() const { return true; }
  /// Runs one pass of the pages that wait; returns false if none does.
  virtual bool run_pass() { return false; }
  /// The statistics of a document so far; nullopt if no model reads it.
  virtual std::optional<ReadingStats> document_stats(const DocumentState&) const {
    return std::nullopt;
  }

 private:
  virtual std::unique_ptr<DocumentState> make_state() const {
    return std::make_unique<DocumentState>();
  }
};

/// The reader of `--model none`: the drafts are the result.
std::unique_ptr<PageReader> make_draft_reader();

/// The conversion of one document.
struct DocumentConversion {
  std::shared_ptr<const InputBytes> input;
  std::string sha256;              ///< of the input's bytes
  int page_count = 0;              ///< of the whole document
  std::optional<ModelInfo> model;  ///< for the document; none = drafts alone
  std::vector<int> pages;          ///< to convert, ascending
  /// So many of `pages` are read together, the first ones, the next ones and so on; fewer where one
  /// of them is blank or has no image. The pages of a prompt are all read or all of an earlier run.
  size_t pages_per_prompt = 1;
  int workers = 1;  ///< drafting threads
  /// Called once in each drafting thread; its result drafts pages in that thread.
  std::function<std::function<DraftedPage(int page)>()> make_drafter;
  ThreadBudget* threads = nullptr;  ///< the cores, shared with the model; may be nullptr
  PageReader* reader = nullptr;
  /// Pages of an earlier run, which are used as they are. May be nullptr; must outlive the
  /// conversion, and may grow while it runs.
  const std::map<int, Page>* earlier = nullptr;
  /// Whether an earlier page lacks the files that `on_read` adds: it is drafted again for them, not
  /// read. May be empty; where it returns true, `on_read` is set.
  std::function<bool(const Page&)> lacks_files;
  /// Called when the reader has ended, with the page's drafts, also if it has thrown (unless that
  /// ends the document or the run), but not if drafting failed: adds the files of the page
  /// (figures, overlays, the picture of the viewer). An exception fails the page; for an earlier
  /// page it is ignored. May be empty.
  std::function<void(const DraftedPage&, Page&)> on_read;
  /// Called after each page; pages that are read in parallel end in any order. `earlier`: an
  /// earlier run has read it.
  std::function<void(const Page&, bool earlier)> on_page;
  /// If set, pages that are not read yet fail at once, and at an earlier page that lacks files the
  /// document ends with Error(interrupted).
  const std::atomic<bool>* interrupted = nullptr;
};

/// Drafts `pages` in advance on `workers` threads and returns them in that order. The conversion
/// must outlive the window.
PageWindow<DraftedPage> drafted_pages(const DocumentConversion& conversion, std::vector<int> pages,
                                      ThreadLimiter* limiter = nullptr);

/// Fails a page for `e`.
void fail(Page& page, const std::exception& e);
/// Whether `e` would fail each page of the document: Error(dependency), and Error(out_of_memory),
/// which says that the model has no room. A std::bad_alloc is of one large page.
bool ends_document(const std::exception& e);

/// Reads the pages in order, as many in parallel as the reader takes, while the next ones are
/// drafted. At most workers + 1 drafted pages and the pages that are being read, or wait for others
/// of their prompt, are in memory. The
/// failure of a page is data: the page falls back to its drafts, or fails if they have no text.
/// Only errors that would fail each page (`ends_document`) end the document, and an interruption
/// where an earlier page lacks files. It yields when it can do nothing, so that other documents of
/// the scheduler run.
Task<Document> convert_document(const DocumentConversion& conversion, DocumentScheduler& scheduler);

/// The same for one document alone.
Document convert_document(const DocumentConversion& conversion);

}  // namespace docspec

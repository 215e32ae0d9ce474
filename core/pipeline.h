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

/// Turns a drafted page into its text: the drafts themselves, or a model that verifies them.
class PageReader {
 public:
  /// What it keeps of one document.
  struct DocumentState {
    std::string input;  ///< its name in reports
    virtual ~DocumentState() = default;
  };

  virtual ~PageReader() = default;
  /// For a document whose pages follow.
  virtual std::unique_ptr<DocumentState> begin_document() {
    return std::make_unique<DocumentState>();
  }
  /// Fills blocks and level of `page`, adds its phases to timings_ms. What it throws makes the page
  /// fall back to its drafts. It may wait until `step` brings it on; all that it is given must
  /// outlive it.
  virtual Task<void> read(DocumentState& state, const DraftedPage& drafted, Page& page) = 0;
  /// Whether it can read one more page beside those that it reads.
  virtual bool has_free_slot() const { return true; }
  /// Brings the pages that wait one pass further; false when none does.
  virtual bool step() { return false; }
  /// The JSON object of a document's "stats".
  virtual std::string stats_json(const DocumentState&) const { return "{}"; }
};

/// `--model none`: the drafts are the result.
std::unique_ptr<PageReader> make_draft_reader();

/// One document's journey.
struct DocumentJob {
  std::shared_ptr<const InputBytes> input;
  std::string sha256;              ///< of the input's bytes
  int page_count = 0;              ///< of the whole document
  std::optional<ModelInfo> model;  ///< for the document; none = drafts alone
  std::vector<int> pages;          ///< to convert, ascending
  int workers = 1;                 ///< drafting threads
  /// Called once in each drafting thread; what it returns drafts pages in that thread.
  std::function<std::function<DraftedPage(int page)>()> make_drafter;
  ThreadBudget* threads = nullptr;  ///< told who drafts; may be nullptr
  PageReader* reader = nullptr;
  /// Pages that an earlier run read: taken as they are. May be nullptr; outlives the job.
  const std::map<int, Page>* known = nullptr;
  /// After a page was read, with what was drafted of it: figures and overlays. What it throws ends
  /// the document. May be empty.
  std::function<void(const DraftedPage&, Page&)> on_read;
  /// After each page; pages that are read together end in any order. `known`: it was read earlier.
  std::function<void(const Page&, bool known)> on_page;
  const std::atomic<bool>* interrupted = nullptr;  ///< set: the remaining pages fail at once
};

/// Drafts `pages` ahead on job.workers threads and hands them out in that order.
PageWindow<DraftedPage> drafted_pages(const DocumentJob& job, std::vector<int> pages,
                                      ThreadLimiter* limiter = nullptr);

/// Makes `e` the failure of a page.
void fail(Page& page, PageStatus status, const std::exception& e);
/// Whether each page of the document would meet `e` (Error(dependency), Error(out_of_memory)).
bool ends_document(const std::exception& e);

/// Reads the pages in order, as many at a time as the reader takes, while the next ones are
/// drafted, holding a bounded number of rasters whatever the length. A page's failure is data: it
/// falls back (reader) or fails (raster, drafts); only Error(dependency) and Error(out_of_memory)
/// end the document, since each page would meet them. Waits where it can do nothing, so that other
/// documents of the scheduler go on.
Task<Document> convert_document(const DocumentJob& job, DocumentScheduler& scheduler);

/// The same of one document alone.
Document convert_document(const DocumentJob& job);

}  // namespace docspec

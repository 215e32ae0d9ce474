#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document.h"
#include "core/document_reader.h"
#include "core/drafted_page.h"
#include "core/page_window.h"
#include "core/task.h"
#include "core/thread_budget.h"

namespace docspec {

/// Turns a drafted page into its text: the drafts themselves, or a model that verifies them.
class PageReader {
 public:
  virtual ~PageReader() = default;
  /// Fills blocks and level of `page`, adds its phases to timings_ms; both must outlive it. What it
  /// throws makes the page fall back to its drafts. It may wait until `step` brings it on.
  virtual Task<void> read(const DraftedPage& drafted, Page& page) = 0;
  /// Whether it can read one more page beside those that it reads.
  virtual bool has_place() const { return true; }
  /// Brings the pages that wait one pass further.
  virtual void step() {}
  /// A document's pages follow; `input` is its name in reports.
  virtual void begin_document(const std::string& input) { static_cast<void>(input); }
  /// The JSON object of a document's "stats": counts since the last call.
  virtual std::string take_stats_json() { return "{}"; }
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
PageWindow<DraftedPage> drafted_pages(const DocumentJob& job, std::vector<int> pages);

/// Makes `e` the failure of a page.
void fail(Page& page, PageStatus status, const std::exception& e);
/// Whether each page of the document would meet `e` (Error(dependency), Error(out_of_memory)).
bool ends_document(const std::exception& e);

/// Reads the pages in order, as many at a time as the reader takes, while the next ones are
/// drafted, holding a bounded number of rasters whatever the length. A page's failure is data: it
/// falls back (reader) or fails (raster, drafts); only Error(dependency) and Error(out_of_memory)
/// end the document, since each page would meet them.
Document convert_document(const DocumentJob& job);

}  // namespace docspec

#include "core/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <new>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/document/page_blocks.h"

namespace docspec {
namespace {

bool has_text(const PageDrafts& drafts) {
  return std::any_of(drafts.drafts.begin(), drafts.drafts.end(),
                     [](const Draft& draft) { return !draft.text.empty(); });
}

class DraftReader : public PageReader {
 public:
  Task<void> read(DocumentState&, const DraftedPage& drafted, Page& page) override {
    constexpr double kLeastCoverage = 0.9;
    set_blocks_from_drafts(drafted.drafts, page);
    page.coverage = drafted.coverage.value_or(1);
    if (!drafted.doubt.empty()) {
      if (!has_text(drafted.drafts)) page.level = PageLevel::image;
      fall_back(page, drafted.doubt);
    } else if (*page.coverage < kLeastCoverage) {
      fall_back(page, fmt::format("only {:.0f} % of the words found on the page are in its text",
                                  100 * *page.coverage));
    }
    co_return;
  }

 private:
  static void fall_back(Page& page, const std::string& why) {
    page.status = PageStatus::fallback;
    page.failure = Failure{ExitCode::partial, why};
  }
};

bool is_interruption(const std::exception& e) {
  const auto* error = dynamic_cast<const Error*>(&e);
  return error && error->code() == ExitCode::interrupted;
}

/// One page on its way through the reader. Its result is
/// - if it was read: what the reader says;
/// - if the reader throws (an interruption excepted): its drafts, with status fallback;
/// - if drafting failed: its drafts, with status fallback, or failed if they have no text;
/// - if anything else throws: status failed.
/// Errors that would fail each page (`ends_document`) leave `start` and `finish`.
class PageInProgress {
 public:
  PageInProgress(const DocumentJob& job, Page& page) : job_(job), page_(page) {}

  /// Takes the next page of the window, and reads it until it must wait. An interrupted run takes
  /// nothing.
  void start(PageReader::DocumentState& state, PageWindow<DraftedPage>& window) {
    page_.level = PageLevel::image;  // until text is found
    or_fail([&] {
      if (job_.interrupted && *job_.interrupted) throw Error(ExitCode::interrupted, "interrupted");
      drafted_ = window.next();
      copy_page_facts();
      if (drafted_.failure) return keep_partial_page();
      task_.emplace(job_.reader->read(state, drafted_, page_));
      task_->start();
    });
  }

  /// Whether its read has ended, or there is nothing to read.
  bool done() const { return !task_ || task_->done(); }

  /// Sets the result of the page and reports it.
  void finish() {
    if (task_) or_fail([this] { take_result(); });
    page_.timings_ms["wall"] = wall_.ms();
    if (job_.on_page) job_.on_page(page_, false);
  }

 private:
  template <typename Step>
  void or_fail(Step step) {
    try {
      step();
    } catch (const std::exception& e) {
      if (ends_document(e)) throw;
      fail(page_, PageStatus::failed, e);
    }
  }

  void copy_page_facts() {
    page_.width_pt = drafted_.info.width_pt;
    page_.height_pt = drafted_.info.height_pt;
    page_.rotation = drafted_.info.rotation;
    page_.dpi = drafted_.drafts.dpi;
    page_.dpi_reduced = drafted_.dpi_reduced;
    page_.timings_ms = drafted_.timings_ms;
  }

  void keep_partial_page() {
    set_blocks_from_drafts(drafted_.drafts, page_);
    const bool text = has_text(drafted_.drafts);
    page_.status = text ? PageStatus::fallback : PageStatus::failed;
    if (!text) page_.level = PageLevel::image;
    page_.failure = drafted_.failure;
  }

  void take_result() {
    try {
      task_->get();
    } catch (const std::exception& e) {
      if (ends_document(e) || is_interruption(e)) throw;
      set_blocks_from_drafts(drafted_.drafts, page_);
      fail(page_, PageStatus::fallback, e);
    }
    if (job_.on_read) job_.on_read(drafted_, page_);
  }

  const DocumentJob& job_;
  Page& page_;
  const Stopwatch wall_;
  DraftedPage drafted_;
  std::optional<Task<void>> task_;  ///< none = nothing to read
};

/// Gives a page of an earlier run the files that on_read adds. Its text is complete: if that fails,
/// the page stays without them. Throws Error(interrupted).
void add_files(const DocumentJob& job, PageWindow<DraftedPage>& window, Page& page) {
  if (job.interrupted && *job.interrupted)
    throw Error(ExitCode::interrupted, job.input->name + ": interrupted");
  try {
    const DraftedPage drafted = window.next();
    if (!drafted.failure) job.on_read(drafted, page);
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
  }
}

}  // namespace

std::unique_ptr<PageReader> make_draft_reader() {
  return std::make_unique<DraftReader>();
}

void fail(Page& page, PageStatus status, const std::exception& e) {
  page.status = status;
  if (dynamic_cast<const std::bad_alloc*>(&e)) {
    page.failure = Failure{ExitCode::out_of_memory, "out of memory; lower --max-pixels or --jobs"};
    return;
  }
  const auto* error = dynamic_cast<const Error*>(&e);
  page.failure = Failure{error ? error->code() : ExitCode::internal, e.what()};
}

bool ends_document(const std::exception& e) {
  const auto* error = dynamic_cast<const Error*>(&e);
  return error &&
         (error->code() == ExitCode::dependency || error->code() == ExitCode::out_of_memory);
}

PageWindow<DraftedPage> drafted_pages(const DocumentJob& job, std::vector<int> pages,
                                      ThreadLimiter* limiter) {
  const int count = int(pages.size());
  return {count, job.workers, job.workers + 1,
          [&job, pages = std::move(pages)] {
            auto draft = job.make_drafter();
            return [&job, &pages, draft](int index) {
              std::optional<ThreadBudget::Drafting> drafting;
              if (job.threads) drafting.emplace(*job.threads);
              return draft(pages[size_t(index)]);
            };
          },
          limiter};
}

Task<Document> convert_document(const DocumentJob& job, DocumentScheduler& scheduler) {
  Document document;
  document.source_file = job.input->name;
  document.source_sha256 = job.sha256;
  document.source_pages = job.page_count;
  document.model = job.model;
  const std::unique_ptr<PageReader::DocumentState> state = job.reader->begin_document();
  state->input = job.input->name;
  const auto is_known = [&](int page) { return job.known && job.known->contains(page); };
  const auto needs_draft = [&](int page) {
    return !is_known(page) || (job.lacks_files && job.lacks_files(job.known->at(page)));
  };
  std::vector<int> to_draft;
  std::copy_if(job.pages.begin(), job.pages.end(), std::back_inserter(to_draft), needs_draft);
  scheduler.limiter().set_threads(job.workers);
  auto window = drafted_pages(job, to_draft, &scheduler.limiter());
  std::list<PageInProgress> readings;  // a running task points into its PageInProgress
  const auto finish_done = [&] {
    std::erase_if(readings, [](PageInProgress& reading) {
      const bool done = reading.done();
      if (done) reading.finish();
      return done;
    });
  };
  document.pages.reserve(job.pages.size());  // readings refer to them
  for (int number : job.pages) {
    const bool known = is_known(number);
    Page& page = document.pages.emplace_back(known ? job.known->at(number) : Page{});
    page.page = number;
    const auto may_begin = [&] {
      return (job.interrupted && *job.interrupted) ||
             ((known || job.reader->has_free_slot()) && window.ready());
    };
    if (needs_draft(number))
      for (finish_done(); !may_begin(); finish_done()) co_await scheduler.yield();
    if (known) {
      if (needs_draft(number)) add_files(job, window, page);
      if (job.on_page) job.on_page(page, true);
      continue;
    }
    readings.emplace_back(job, page).start(*state, window);
    finish_done();
  }
  for (finish_done(); !readings.empty(); finish_done()) co_await scheduler.yield();
  document.stats = job.reader->stats(*state);
  co_return document;
}

Document convert_document(const DocumentJob& job) {
  DocumentScheduler scheduler(1, [&job] { return job.reader->step(); });
  std::optional<Document> document;
  const auto convert = [&]() -> Task<void> {
    document.emplace(co_await convert_document(job, scheduler));
  };
  bool begun = false;
  scheduler.run([&]() -> std::optional<Task<void>> {
    if (std::exchange(begun, true)) return std::nullopt;
    return convert();
  });
  return std::move(*document);
}

}  // namespace docspec

#include "core/pipeline.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <new>
#include <utility>

#include "core/document/page_blocks.h"

namespace docspec {
namespace {

class DraftReader : public PageReader {
 public:
  Task<void> read(DocumentState&, const DraftedPage& drafted, Page& page) override {
    set_blocks_from_drafts(drafted.drafts, page);
    if (!drafted.unread) co_return;
    page.status = PageStatus::fallback;
    page.level = PageLevel::image;
    page.failure = Failure{ExitCode::partial, "no draft source read any text of this page"};
  }
};

bool has_text(const PageDrafts& drafts) {
  return std::any_of(drafts.drafts.begin(), drafts.drafts.end(),
                     [](const Draft& draft) { return !draft.text.empty(); });
}

/// The never-lose rule below the reader: drafts, then nothing but the failure.
void fall_back(const DraftedPage& drafted, Page& page, const std::exception& e) {
  set_blocks_from_drafts(drafted.drafts, page);
  fail(page, PageStatus::fallback, e);
}

/// A page on its way through the reader.
struct Reading {
  Page& page;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  DraftedPage drafted = {};
  std::optional<Task<void>> task = {};  ///< none = nothing to read
};

/// What is left of a page that could not be drafted.
void keep_partial_page(const DraftedPage& drafted, Page& page) {
  set_blocks_from_drafts(drafted.drafts, page);
  const bool text = has_text(drafted.drafts);
  page.status = text ? PageStatus::fallback : PageStatus::failed;
  if (!text) page.level = PageLevel::image;
  page.failure = drafted.failure;
}

/// Takes the window's next page, and reads it as far as it goes.
void begin(const DocumentJob& job, PageReader::DocumentState& state, PageWindow<DraftedPage>& window,
           Reading& reading) {
  Page& page = reading.page;
  page.level = PageLevel::image;
  try {
    if (job.interrupted && *job.interrupted) throw Error(ExitCode::interrupted, "interrupted");
    const DraftedPage& drafted = reading.drafted = window.next();
    page.width_pt = drafted.info.width_pt;
    page.height_pt = drafted.info.height_pt;
    page.rotation = drafted.info.rotation;
    page.dpi = drafted.drafts.dpi;
    page.dpi_reduced = drafted.dpi_reduced;
    page.timings_ms = drafted.timings_ms;
    if (drafted.failure) return keep_partial_page(drafted, page);
    reading.task.emplace(job.reader->read(state, drafted, page));
    reading.task->start();
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
    fail(page, PageStatus::failed, e);
  }
}

/// What the reader made of a page.
void take(const DocumentJob& job, Reading& reading) {
  try {
    reading.task->get();
  } catch (const std::exception& e) {
    const auto* error = dynamic_cast<const Error*>(&e);
    if (ends_document(e) || (error && error->code() == ExitCode::interrupted)) throw;
    fall_back(reading.drafted, reading.page, e);
  }
  if (job.on_read) job.on_read(reading.drafted, reading.page);
}

/// Whether it has ended; then its page is told of.
bool ended(const DocumentJob& job, Reading& reading) {
  Page& page = reading.page;
  if (reading.task && !reading.task->done()) return false;
  try {
    if (reading.task) take(job, reading);
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
    fail(page, PageStatus::failed, e);
  }
  page.timings_ms["wall"] =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - reading.begin)
          .count();
  if (job.on_page) job.on_page(page, false);
  return true;
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
  std::vector<int> unread;
  for (int number : job.pages)
    if (!job.known || !job.known->contains(number)) unread.push_back(number);
  scheduler.limiter().set_threads(job.workers);
  auto window = drafted_pages(job, unread, &scheduler.limiter());
  std::list<Reading> readings;
  const auto close = [&] {
    std::erase_if(readings, [&](Reading& reading) { return ended(job, reading); });
  };
  document.pages.reserve(job.pages.size());  // readings refer to them
  for (int number : job.pages) {
    const bool known = job.known && job.known->contains(number);
    Page& page = document.pages.emplace_back(known ? job.known->at(number) : Page{});
    page.page = number;
    if (known) {
      if (job.on_page) job.on_page(page, true);
      continue;
    }
    const auto may_begin = [&] {
      return (job.interrupted && *job.interrupted) || (job.reader->has_free_slot() && window.ready());
    };
    for (close(); !may_begin(); close()) co_await scheduler.yield();
    begin(job, *state, window, readings.emplace_back(page));
    close();
  }
  for (close(); !readings.empty(); close()) co_await scheduler.yield();
  document.stats_json = job.reader->stats_json(*state);
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

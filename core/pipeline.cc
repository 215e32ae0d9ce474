#include "core/pipeline.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <new>

#include "core/page_blocks.h"

namespace docspec {
namespace {

class DraftReader : public PageReader {
 public:
  Task<void> read(const DraftedPage& drafted, Page& page) override {
    take_blocks(drafted.drafts, page);
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
  take_blocks(drafted.drafts, page);
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
void keep_rest(const DraftedPage& drafted, Page& page) {
  take_blocks(drafted.drafts, page);
  const bool text = has_text(drafted.drafts);
  page.status = text ? PageStatus::fallback : PageStatus::failed;
  if (!text) page.level = PageLevel::image;
  page.failure = drafted.failure;
}

/// Takes the window's next page, and reads it as far as it goes.
void begin(const DocumentJob& job, PageWindow<DraftedPage>& window, Reading& reading) {
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
    if (drafted.failure) return keep_rest(drafted, page);
    reading.task.emplace(job.reader->read(drafted, page));
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

PageWindow<DraftedPage> drafted_pages(const DocumentJob& job, std::vector<int> pages) {
  const int count = int(pages.size());
  return {count, job.workers, job.workers + 1, [&job, pages = std::move(pages)] {
            auto draft = job.make_drafter();
            return [&job, &pages, draft](int index) {
              std::optional<ThreadBudget::Drafting> drafting;
              if (job.threads) drafting.emplace(*job.threads);
              return draft(pages[size_t(index)]);
            };
          }};
}

Document convert_document(const DocumentJob& job) {
  Document document;
  document.source_file = job.input->name;
  document.source_sha256 = job.sha256;
  document.source_pages = job.page_count;
  document.model = job.model;
  job.reader->begin_document(job.input->name);
  std::vector<int> unread;
  for (int number : job.pages)
    if (!job.known || !job.known->contains(number)) unread.push_back(number);
  auto window = drafted_pages(job, unread);
  std::list<Reading> readings;
  const auto read_on = [&] {
    job.reader->step();
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
    while (!readings.empty() && !(job.reader->has_place() && window.ready())) read_on();
    begin(job, window, readings.emplace_back(page));
    if (ended(job, readings.back())) readings.pop_back();
  }
  while (!readings.empty()) read_on();
  document.stats_json = job.reader->take_stats_json();
  return document;
}

}  // namespace docspec

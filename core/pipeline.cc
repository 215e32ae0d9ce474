#include "core/pipeline.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "core/page_blocks.h"

namespace docspec {
namespace {

class DraftReader : public PageReader {
 public:
  void read(const DraftedPage& drafted, Page& page) override {
    take_blocks(drafted.drafts, page);
    if (!drafted.unread) return;
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

void read_page(const DocumentJob& job, const DraftedPage& drafted, Page& page) {
  page.width_pt = drafted.info.width_pt;
  page.height_pt = drafted.info.height_pt;
  page.rotation = drafted.info.rotation;
  page.dpi = drafted.drafts.dpi;
  page.dpi_reduced = drafted.dpi_reduced;
  page.timings_ms = drafted.timings_ms;
  if (drafted.failure) {  // what is left of a page that could not be drafted
    take_blocks(drafted.drafts, page);
    const bool text = has_text(drafted.drafts);
    page.status = text ? PageStatus::fallback : PageStatus::failed;
    if (!text) page.level = PageLevel::image;
    page.failure = drafted.failure;
    return;
  }
  try {
    job.reader->read(drafted, page);
  } catch (const std::exception& e) {
    const auto* error = dynamic_cast<const Error*>(&e);
    if (ends_document(e) || (error && error->code() == ExitCode::interrupted)) throw;
    fall_back(drafted, page, e);
  }
  if (job.on_read) job.on_read(drafted, page);
}

/// The page `number`, which is the next of the window.
void read_next(const DocumentJob& job, PageWindow<DraftedPage>& window, int number, Page& page) {
  page.page = number;
  page.level = PageLevel::image;
  const auto begin = std::chrono::steady_clock::now();
  try {
    if (job.interrupted && *job.interrupted) throw Error(ExitCode::interrupted, "interrupted");
    read_page(job, window.next(), page);
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
    fail(page, PageStatus::failed, e);
  }
  page.timings_ms["wall"] =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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
  for (int number : job.pages) {
    const bool known = job.known && job.known->contains(number);
    Page& page = document.pages.emplace_back(known ? job.known->at(number) : Page{});
    if (!known) read_next(job, window, number, page);
    if (job.on_page) job.on_page(page, known);
  }
  document.stats_json = job.reader->take_stats_json();
  return document;
}

}  // namespace docspec

#include "core/pipeline.h"

#include <chrono>
#include <new>

#include "core/page_blocks.h"
#include "core/page_window.h"

namespace docspec {
namespace {

class DraftReader : public PageReader {
 public:
  void read(const DraftedPage& drafted, Page& page) override {
    PageBlocks result = page_blocks(drafted.drafts);
    page.blocks = std::move(result.blocks);
    page.level = result.level;
    if (!drafted.unread) return;
    page.status = PageStatus::fallback;
    page.level = PageLevel::image;
    page.failure = Failure{ExitCode::partial, "no draft source read any text of this page"};
  }
};

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

/// The never-lose rule below the reader: drafts, then nothing but the failure.
void fall_back(const DraftedPage& drafted, Page& page, const std::exception& e) {
  PageBlocks result = page_blocks(drafted.drafts);
  page.blocks = std::move(result.blocks);
  page.level = result.level;
  fail(page, PageStatus::fallback, e);
}

void read_page(const DocumentJob& job, const DraftedPage& drafted, Page& page) {
  page.width_pt = drafted.info.width_pt;
  page.height_pt = drafted.info.height_pt;
  page.rotation = drafted.info.rotation;
  page.dpi = drafted.drafts.dpi;
  page.dpi_reduced = drafted.dpi_reduced;
  page.timings_ms = drafted.timings_ms;
  try {
    job.reader->read(drafted, page);
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
    fall_back(drafted, page, e);
  }
  if (job.on_read) job.on_read(drafted, page);
}

}  // namespace

std::unique_ptr<PageReader> make_draft_reader() {
  return std::make_unique<DraftReader>();
}

Document convert_document(const DocumentJob& job) {
  Document document;
  document.source_file = job.input->name;
  document.source_sha256 = job.sha256;
  document.source_pages = job.page_count;
  document.model = job.model;
  job.reader->begin_document(job.input->name);
  const int count = int(job.pages.size());
  PageWindow<DraftedPage> window(count, job.workers, job.workers + 1, [&job] {
    auto draft = job.make_drafter();
    return [&job, draft](int index) {
      std::optional<ThreadBudget::Drafting> drafting;
      if (job.threads) drafting.emplace(*job.threads);
      return draft(job.pages[size_t(index)]);
    };
  });
  for (int i = 0; i < count; ++i) {
    Page& page = document.pages.emplace_back();
    page.page = job.pages[size_t(i)];
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
    if (job.on_page) job.on_page(page);
  }
  document.stats_json = job.reader->take_stats_json();
  return document;
}

}  // namespace docspec

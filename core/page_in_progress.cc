#include "core/page_in_progress.h"

#include <new>

#include "core/document/page_blocks.h"

namespace docspec {
namespace {

Failure failure_of(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e))
    return {ExitCode::out_of_memory, "out of memory; lower --max-pixels or --jobs"};
  const auto* error = dynamic_cast<const Error*>(&e);
  return {error ? error->code() : ExitCode::internal, e.what()};
}

bool is_interruption(const std::exception& e) {
  return failure_of(e).code == ExitCode::interrupted;
}

}  // namespace

void fail(Page& page, const std::exception& e) {
  page.status = PageStatus::failed;
  page.failure = failure_of(e);
}

bool ends_document(const std::exception& e) {
  const auto* error = dynamic_cast<const Error*>(&e);
  return error &&
         (error->code() == ExitCode::dependency || error->code() == ExitCode::out_of_memory);
}

void PromptReading::start(PageReader& reader, PageReader::DocumentState& state) {
  if (task_ || error_) return;
  try {
    task_.emplace(pages_.size() == 1 ? reader.read(state, *pages_[0].drafted, *pages_[0].page)
                                     : reader.read_together(state, pages_));
    task_->start();
  } catch (...) {
    error_ = std::current_exception();
  }
}

void PromptReading::get() {
  if (error_) std::rethrow_exception(error_);
  task_->get();
}

void PageInProgress::take(PageWindow<DraftedPage>& window,
                          const std::shared_ptr<PromptReading>& prompt) {
  page_.level = PageLevel::image;  // until text is found
  or_fail([&] {
    if (conversion_.interrupted && *conversion_.interrupted)
      throw Error(ExitCode::interrupted, "interrupted");
    drafted_ = window.next();
    copy_page_facts();
    if (drafted_.failure) return keep_drafts(*drafted_.failure);
    const bool alone = drafted_.blank || !drafted_.image;
    reading_ = alone ? std::make_shared<PromptReading>() : prompt;
    reading_->add(drafted_, page_);
  });
}

void PageInProgress::finish() {
  if (reading_) or_fail([this] { take_result(); });
  page_.timings_ms["wall"] = wall_.ms();
  if (conversion_.on_page) conversion_.on_page(page_, false);
}

void PageInProgress::or_fail(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
    fail(page_, e);
  }
}

void PageInProgress::copy_page_facts() {
  page_.width_pt = drafted_.info.width_pt;
  page_.height_pt = drafted_.info.height_pt;
  page_.rotation = drafted_.info.rotation;
  page_.dpi = drafted_.drafts.dpi;
  page_.dpi_reduced = drafted_.dpi_reduced;
  page_.timings_ms = drafted_.timings_ms;
}

void PageInProgress::keep_drafts(const Failure& failure) {
  set_blocks_from_drafts(drafted_.drafts, page_);
  const bool text = has_text(drafted_.drafts);
  page_.status = text ? PageStatus::fallback : PageStatus::failed;
  if (!text) page_.level = PageLevel::image;
  page_.failure = failure;
}

void PageInProgress::take_result() {
  try {
    reading_->get();
  } catch (const std::exception& e) {
    if (ends_document(e) || is_interruption(e)) throw;
    keep_drafts(failure_of(e));
  }
  if (conversion_.on_read) conversion_.on_read(drafted_, page_);
}

}  // namespace docspec

#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/pipeline.h"

namespace docspec {

/// A reader at work on one page, or on the pages of one prompt.
class PromptReading {
 public:
  void add(const DraftedPage& drafted, Page& page) { pages_.push_back({&drafted, &page}); }

  /// Reads the pages until it must wait. Of several calls the first one counts.
  void start(PageReader& reader, PageReader::DocumentState& state);

  bool done() const { return error_ || (task_ && task_->done()); }

  /// Throws what the reader has thrown.
  void get();

 private:
  std::vector<PageToRead> pages_;
  std::optional<Task<void>> task_;
  std::exception_ptr error_;  ///< why it could not start
};

/// One page on its way through the reader. Its result is
/// - if it was read: what the reader says;
/// - if the reader throws (an interruption excepted), or only a part of the page could be drafted
///   (DraftedPage::failure): its drafts (`keep_drafts`), with status fallback, or failed if they
///   have no text;
/// - if anything else throws: status failed (`or_fail`).
/// Errors that would fail each page (`ends_document`) leave `take` and `finish`.
class PageInProgress {
 public:
  PageInProgress(const DocumentConversion& conversion, Page& page)
      : conversion_(conversion), page_(page) {}

  /// Takes the next page of the window, which joins `prompt` if it is to be read. Page and prompt
  /// must not move. An interrupted run takes nothing.
  void take(PageWindow<DraftedPage>& window, const std::shared_ptr<PromptReading>& prompt);

  /// Starts its reading, or that of all pages of its prompt, which runs until it must wait.
  void start(PageReader::DocumentState& state) { reading_->start(*conversion_.reader, state); }

  /// Whether its read has ended, or there is nothing to read.
  bool done() const { return !reading_ || reading_->done(); }

  /// Sets the result of the page and reports it. Call it once, when `done`.
  void finish();

 private:
  void or_fail(const std::function<void()>& action);
  void copy_page_facts();
  void keep_drafts(const Failure& failure);
  void take_result();

  const DocumentConversion& conversion_;
  Page& page_;
  const Stopwatch wall_;
  DraftedPage drafted_;
  std::shared_ptr<PromptReading> reading_;  ///< none = nothing to read
};

}  // namespace docspec

#pragma once

#include <ATen/core/Tensor.h>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/decode/cost_curve.h"
#include "core/model/language_model.h"

namespace docspec {

class AsyncWork;
class BatchSlot;

/// Joins the passes of pages that are read at the same time into one forward (continuous batching).
/// Each page is a coroutine on one thread with a BatchSlot here. It waits for the rows that its
/// trees get, then for its logits; `run_pass` gives both to all waiting pages from one forward.
/// Rows are allocated over the trees of all pages, so a page gets fewer of them when there are more
/// pages. A page that waits for its image does not hold up the others.
class BatchScheduler {
 public:
  /// At most `pages` slots and `jobs` running jobs. With one page nothing ever waits.
  BatchScheduler(const LanguageModel& lm, size_t pages, size_t jobs)
      : lm_(lm), pages_(pages), jobs_(jobs) {}
  BatchScheduler(const BatchScheduler&) = delete;
  BatchScheduler& operator=(const BatchScheduler&) = delete;

  /// Whether there is room for one more page.
  bool has_free_slot() const;
  /// Runs one batched forward and resumes every waiting page. A page that waits for its image is
  /// skipped; if only such pages are left, one of them blocks on its image. An exception of the
  /// forward is rethrown in each of its pages. Returns false when no page waits.
  bool run_pass();

 private:
  friend class BatchSlot;
  void choose_rows(std::span<BatchSlot* const> slots) const;
  void forward(std::span<BatchSlot* const> slots) const;
  size_t jobs() const;

  const LanguageModel& lm_;
  const size_t pages_, jobs_;
  std::vector<BatchSlot*> slots_;
};

/// The result of a forward for one page.
struct BatchOutput {
  at::Tensor logits;  ///< [rows of its trees, vocab] f32, device
  double ms = 0;      ///< the page's share of the forward, by rows
  int forwards = 0;   ///< 1 for exactly one page of a common forward, so that the sum is right
};

/// A page's slot in the scheduler.
class BatchSlot {
 public:
  explicit BatchSlot(BatchScheduler& scheduler);
  ~BatchSlot();
  BatchSlot(const BatchSlot&) = delete;
  BatchSlot& operator=(const BatchSlot&) = delete;

  const LanguageModel& lm() const { return scheduler_.lm_; }
  /// Sets how many running jobs the page has.
  void set_jobs(size_t jobs) { jobs_ = jobs; }
  /// Number of running jobs that it may have; at least 1.
  size_t max_jobs() const;
  /// Jobs of all pages.
  size_t all_jobs() const { return scheduler_.jobs(); }
  /// Time that the page has taken: its own, without waiting for others, and its share of each
  /// common pass by rows.
  double seconds() const;
  /// Lets `seconds` begin at 0 again.
  void restart_clock() {
    spent_ = 0;
    running_ = Stopwatch();
  }

  struct Rows;
  struct Logits;
  struct Others;
  /// Awaitable: other pages run until `work` is done. May return early; call work.wait() before
  /// using its result.
  Others until(const AsyncWork& work);
  /// Awaitable: CostCurve::allocate_rows of the trees of the next pass.
  Rows rows(const CostCurve& cost, std::span<const DraftTree* const> trees);
  /// Awaitable: LanguageModel::forward of these jobs, in one batch with those of other pages.
  Logits forward(std::span<const SequenceInput> jobs, const ForwardOptions& options);

 private:
  friend class BatchScheduler;
  enum class Want { nothing, work, rows, logits };

  bool alone() const { return scheduler_.pages_ == 1; }
  /// A page counts as at least one job, so that it keeps its slot between stages.
  size_t places() const { return jobs_ > 0 ? jobs_ : 1; }
  void wait(std::coroutine_handle<> coroutine);
  void resume();

  BatchScheduler& scheduler_;
  size_t jobs_ = 0;
  Want want_ = Want::nothing;
  std::coroutine_handle<> waiting_;
  const AsyncWork* work_ = nullptr;
  const CostCurve* cost_ = nullptr;
  std::span<const DraftTree* const> trees_;
  std::vector<size_t> kept_;
  std::span<const SequenceInput> pass_;
  ForwardOptions options_;
  BatchOutput output_;
  std::exception_ptr error_;
  double spent_ = 0;   ///< seconds until it was last resumed
  Stopwatch running_;  ///< since it was last resumed
};

/// Ready once want_ is Want::nothing.
struct BatchSlot::Rows {
  BatchSlot& slot;
  bool await_ready() const { return slot.want_ == Want::nothing; }
  void await_suspend(std::coroutine_handle<> coroutine) const { slot.wait(coroutine); }
  std::vector<size_t> await_resume() const { return std::move(slot.kept_); }
};

struct BatchSlot::Others {
  BatchSlot& slot;
  bool await_ready() const { return slot.want_ == Want::nothing; }
  void await_suspend(std::coroutine_handle<> coroutine) const { slot.wait(coroutine); }
  void await_resume() const {}
};

struct BatchSlot::Logits {
  BatchSlot& slot;
  bool await_ready() const { return slot.want_ == Want::nothing; }
  void await_suspend(std::coroutine_handle<> coroutine) const { slot.wait(coroutine); }
  BatchOutput await_resume() const;
};

}  // namespace docspec

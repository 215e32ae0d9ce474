#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "core/decode/cost_curve.h"
#include "core/model/language_model.h"

namespace docspec {

class AsyncWork;
class BatchSlot;

/// Where the passes of pages that are read at the same time become one: continuous batching. Each
/// page is a coroutine of one thread with a BatchSlot here; it waits for the rows that its trees get and
/// then for its logits, and `step` brings both to all that wait from one forward. Rows are chosen
/// over the trees of all pages: the more pages, the fewer of them a page gets. A page whose image
/// is still being seen lets the passes of the others go on.
class BatchScheduler {
 public:
  /// At most `pages` batch slots and `jobs` jobs alive. With one page nothing ever waits.
  BatchScheduler(const LanguageModel& lm, size_t pages, size_t jobs)
      : lm_(lm), pages_(pages), jobs_(jobs) {}
  BatchScheduler(const BatchScheduler&) = delete;
  BatchScheduler& operator=(const BatchScheduler&) = delete;

  /// Whether one more page can be read beside those that are.
  bool has_free_slot() const;
  /// Brings all that wait to where they wait for the next pass, but for those whose work beside the
  /// passes is not done: of these one goes on, to wait for it itself, when nobody else can. What a
  /// forward throws, each of its pages gets. False when nobody waits.
  bool step();

 private:
  friend class BatchSlot;
  void choose_rows(std::span<BatchSlot* const> slots) const;
  void forward(std::span<BatchSlot* const> slots) const;
  size_t jobs() const;

  const LanguageModel& lm_;
  const size_t pages_, jobs_;
  std::vector<BatchSlot*> slots_;
};

/// A forward's answer to one page.
struct BatchOutput {
  at::Tensor logits;  ///< [rows of its trees, vocab] f32, device
  double ms = 0;      ///< of the forward, the share of its rows
  int forwards = 0;   ///< 1 for one of the pages of a common forward, so that they sum up
};

/// A page's place at the table.
class BatchSlot {
 public:
  explicit BatchSlot(BatchScheduler& scheduler);
  ~BatchSlot();
  BatchSlot(const BatchSlot&) = delete;
  BatchSlot& operator=(const BatchSlot&) = delete;

  const LanguageModel& lm() const { return scheduler_.lm_; }
  /// Says how many jobs the page has alive.
  void set_jobs(size_t jobs) { jobs_ = jobs; }
  /// How many it may have, at least 1.
  size_t max_jobs() const;
  /// Jobs of all pages.
  size_t all_jobs() const { return scheduler_.jobs(); }
  /// Seconds that the page has taken: without those it waited for others, and of a common pass the
  /// share of its rows.
  double seconds() const;

  struct Rows;
  struct Logits;
  struct Others;
  /// Awaited: passes of other pages until `work` is done; none where the page is alone, and maybe
  /// too few: what the work makes is there after work.wait().
  Others until(const AsyncWork& work);
  /// Awaited: CostCurve::cut of the trees of the next pass.
  Rows rows(const CostCurve& cost, std::span<const DraftTree* const> trees);
  /// Awaited: what LanguageModel::forward says of these jobs.
  Logits forward(std::span<const SequenceInput> jobs, const ForwardOptions& options);

 private:
  friend class BatchScheduler;
  enum class Want { nothing, work, rows, logits };
  using Clock = std::chrono::steady_clock;

  bool alone() const { return scheduler_.pages_ == 1; }
  /// A page between two stages keeps a place for the job to come.
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
  double spent_ = 0;  ///< seconds until it last went on
  Clock::time_point went_on_ = Clock::now();
};

/// What a batch slot asked for is there when it wants nothing any more.
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

#include "core/decode/batch_scheduler.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/model/draft_tree.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

size_t rows_of(std::span<const SequenceInput> jobs) {
  size_t rows = 0;
  for (const SequenceInput& job : jobs) rows += job.tree->rows();
  return rows;
}

}  // namespace

size_t BatchScheduler::jobs() const {
  size_t jobs = 0;
  for (const BatchSlot* slot : slots_) jobs += slot->places();
  return jobs;
}

bool BatchScheduler::has_free_slot() const {
  return slots_.empty() || (slots_.size() < pages_ && jobs() < jobs_);
}

/// Slots that wait for rows are resumed first: their pages then join the same forward as the
/// others.
bool BatchScheduler::run_pass() {
  const auto wanting = [&](BatchSlot::Want what) {
    std::vector<BatchSlot*> slots;
    for (BatchSlot* slot : slots_)
      if (slot->want_ == what) slots.push_back(slot);
    return slots;
  };
  bool moved = false;
  for (BatchSlot* slot : wanting(BatchSlot::Want::work))
    if (slot->work_->done()) {
      slot->resume();
      moved = true;
    }
  const std::vector<BatchSlot*> choosing = wanting(BatchSlot::Want::rows);
  if (!choosing.empty()) choose_rows(choosing);
  for (BatchSlot* slot : choosing) slot->resume();
  const std::vector<BatchSlot*> ready = wanting(BatchSlot::Want::logits);
  if (!ready.empty()) forward(ready);
  for (BatchSlot* slot : ready) slot->resume();
  if (moved || !choosing.empty() || !ready.empty()) return true;
  const std::vector<BatchSlot*> working = wanting(BatchSlot::Want::work);
  if (!working.empty()) working[0]->resume();
  return !working.empty();
}

void BatchScheduler::choose_rows(std::span<BatchSlot* const> slots) const {
  std::vector<const DraftTree*> trees;
  for (const BatchSlot* slot : slots)
    trees.insert(trees.end(), slot->trees_.begin(), slot->trees_.end());
  const std::vector<size_t> kept = slots[0]->cost_->allocate_rows(trees);
  auto from = kept.begin();
  for (BatchSlot* slot : slots) {
    const auto to = from + std::ptrdiff_t(slot->trees_.size());
    slot->kept_.assign(std::exchange(from, to), to);
  }
}

void BatchScheduler::forward(std::span<BatchSlot* const> slots) const {
  std::vector<SequenceInput> jobs;
  ForwardOptions options{false};
  for (const BatchSlot* slot : slots) {
    jobs.insert(jobs.end(), slot->pass_.begin(), slot->pass_.end());
    options.padded |= slot->options_.padded;
  }
  const Stopwatch stopwatch;
  try {
    const at::Tensor logits = lm_.forward(jobs, options);  // [rows of all trees, vocab] f32
    const double seconds = stopwatch.seconds();
    int64_t row = 0;
    for (BatchSlot* slot : slots) {
      const auto rows = int64_t(rows_of(slot->pass_));
      const double share = seconds * double(rows) / double(logits.size(0));
      // A page that goes on may run a forward before the next one has read its rows, which are
      // valid until then (LanguageModel::forward).
      const at::Tensor own = logits.narrow(0, row, rows);
      slot->output_ = {slots.size() > 1 ? own.clone() : own, share * 1000,
                       slot == slots[0] ? 1 : 0};
      if (!slot->alone()) slot->spent_ += share;
      row += rows;
    }
  } catch (...) {
    for (BatchSlot* slot : slots) slot->error_ = std::current_exception();
  }
}

BatchSlot::BatchSlot(BatchScheduler& scheduler) : scheduler_(scheduler) {
  scheduler_.slots_.push_back(this);
}

BatchSlot::~BatchSlot() {
  std::erase(scheduler_.slots_, this);
}

size_t BatchSlot::max_jobs() const {
  const size_t others = scheduler_.jobs() - places();
  return scheduler_.jobs_ > others ? scheduler_.jobs_ - others : 1;
}

double BatchSlot::seconds() const {
  return spent_ + (want_ == Want::nothing ? running_.seconds() : 0);
}

void BatchSlot::wait(std::coroutine_handle<> coroutine) {
  waiting_ = coroutine;
  spent_ += running_.seconds();
}

void BatchSlot::resume() {
  want_ = Want::nothing;
  running_ = Stopwatch();
  waiting_.resume();  // the batch slot may be destroyed by it
}

BatchSlot::Others BatchSlot::until(const AsyncWork& work) {
  work_ = &work;
  if (!alone() && !work.done()) want_ = Want::work;
  return {*this};
}

BatchSlot::Rows BatchSlot::rows(const CostCurve& cost, std::span<const DraftTree* const> trees) {
  cost_ = &cost;
  trees_ = trees;
  BatchSlot* const self = this;
  if (alone())
    scheduler_.choose_rows({&self, 1});
  else
    want_ = Want::rows;
  return {*this};
}

BatchSlot::Logits BatchSlot::forward(std::span<const SequenceInput> jobs,
                                     const ForwardOptions& options) {
  pass_ = jobs;
  options_ = options;
  BatchSlot* const self = this;
  if (alone())
    scheduler_.forward({&self, 1});
  else
    want_ = Want::logits;
  return {*this};
}

BatchOutput BatchSlot::Logits::await_resume() const {
  if (slot.error_) std::rethrow_exception(std::exchange(slot.error_, {}));
  return std::move(slot.output_);
}

}  // namespace docspec

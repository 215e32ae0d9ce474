#include "core/decode/pass_table.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/model/draft_tree.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

size_t rows_of(std::span<const PassJob> jobs) {
  size_t rows = 0;
  for (const PassJob& job : jobs) rows += job.tree->rows();
  return rows;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

size_t PassTable::jobs() const {
  size_t jobs = 0;
  for (const Seat* seat : seats_) jobs += seat->places();
  return jobs;
}

bool PassTable::has_place() const {
  return seats_.empty() || (seats_.size() < pages_ && jobs() < jobs_);
}

/// Seats that wait for rows come first: then their pages wait for the same forward as the others.
bool PassTable::step() {
  const auto wanting = [&](Seat::Want what) {
    std::vector<Seat*> seats;
    for (Seat* seat : seats_)
      if (seat->want_ == what) seats.push_back(seat);
    return seats;
  };
  bool moved = false;
  for (Seat* seat : wanting(Seat::Want::work))
    if (seat->work_->done()) {
      seat->resume();
      moved = true;
    }
  const std::vector<Seat*> choosing = wanting(Seat::Want::rows);
  if (!choosing.empty()) choose_rows(choosing);
  for (Seat* seat : choosing) seat->resume();
  const std::vector<Seat*> ready = wanting(Seat::Want::logits);
  if (!ready.empty()) forward(ready);
  for (Seat* seat : ready) seat->resume();
  if (moved || !choosing.empty() || !ready.empty()) return true;
  const std::vector<Seat*> working = wanting(Seat::Want::work);
  if (!working.empty()) working[0]->resume();
  return !working.empty();
}

void PassTable::choose_rows(std::span<Seat* const> seats) const {
  std::vector<const DraftTree*> trees;
  for (const Seat* seat : seats)
    trees.insert(trees.end(), seat->trees_.begin(), seat->trees_.end());
  const std::vector<size_t> kept = seats[0]->cost_->cut(trees);
  auto from = kept.begin();
  for (Seat* seat : seats) {
    const auto to = from + std::ptrdiff_t(seat->trees_.size());
    seat->kept_.assign(std::exchange(from, to), to);
  }
}

void PassTable::forward(std::span<Seat* const> seats) const {
  std::vector<PassJob> jobs;
  PassOptions options{false};
  for (const Seat* seat : seats) {
    jobs.insert(jobs.end(), seat->pass_.begin(), seat->pass_.end());
    options.padded |= seat->options_.padded;
  }
  const auto begin = Seat::Clock::now();
  try {
    const at::Tensor logits = lm_.forward(jobs, options);  // [rows of all trees, vocab] f32
    const double seconds = seconds_since(begin);
    int64_t row = 0;
    for (Seat* seat : seats) {
      const auto rows = int64_t(rows_of(seat->pass_));
      const double share = seconds * double(rows) / double(logits.size(0));
      seat->passed_ = {logits.narrow(0, row, rows), share * 1000, seat == seats[0] ? 1 : 0};
      if (!seat->alone()) seat->spent_ += share;
      row += rows;
    }
  } catch (...) {
    for (Seat* seat : seats) seat->error_ = std::current_exception();
  }
}

Seat::Seat(PassTable& table) : table_(table) {
  table_.seats_.push_back(this);
}

Seat::~Seat() {
  std::erase(table_.seats_, this);
}

size_t Seat::most_jobs() const {
  const size_t beside = table_.jobs() - places();
  return table_.jobs_ > beside ? table_.jobs_ - beside : 1;
}

double Seat::seconds() const {
  return spent_ + (want_ == Want::nothing ? seconds_since(went_on_) : 0);
}

void Seat::wait(std::coroutine_handle<> coroutine) {
  waiting_ = coroutine;
  spent_ += seconds_since(went_on_);
}

void Seat::resume() {
  want_ = Want::nothing;
  went_on_ = Clock::now();
  waiting_.resume();  // the seat may be gone after it
}

Seat::Others Seat::until(const Aside& work) {
  work_ = &work;
  if (!alone() && !work.done()) want_ = Want::work;
  return {*this};
}

Seat::Rows Seat::rows(const CostCurve& cost, std::span<const DraftTree* const> trees) {
  cost_ = &cost;
  trees_ = trees;
  Seat* const self = this;
  if (alone())
    table_.choose_rows({&self, 1});
  else
    want_ = Want::rows;
  return {*this};
}

Seat::Logits Seat::forward(std::span<const PassJob> jobs, const PassOptions& options) {
  pass_ = jobs;
  options_ = options;
  Seat* const self = this;
  if (alone())
    table_.forward({&self, 1});
  else
    want_ = Want::logits;
  return {*this};
}

Passed Seat::Logits::await_resume() const {
  if (seat.error_) std::rethrow_exception(std::exchange(seat.error_, {}));
  return std::move(seat.passed_);
}

}  // namespace docspec

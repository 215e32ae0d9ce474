#include "core/base/thread_budget.h"

#include <algorithm>

namespace docspec {

int ThreadBudget::model_threads() const {
  if (fixed_ > 0) return fixed_;
  std::lock_guard lock(mutex_);
  return std::max(1, cores_ - drafting_);
}

int ThreadBudget::drafting_threads() const {
  return std::max(1, cores_ - std::max(1, fixed_));
}

void ThreadBudget::wait_until_no_draft() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return drafting_ == 0; });
}

void ThreadBudget::count(int more) {
  {
    std::lock_guard lock(mutex_);
    drafting_ += more;
  }
  changed_.notify_all();
}

}  // namespace docspec

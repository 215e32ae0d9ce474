#include "core/document_scheduler.h"

#include <list>
#include <utility>

namespace docspec {

void DocumentScheduler::run(const std::function<std::optional<Task<void>>()>& next) {
  waiting_.clear();
  std::list<Task<void>> open;
  const auto close = [&open] {
    const size_t before = open.size();
    for (auto task = open.begin(); task != open.end();)
      if (task->done()) {
        task->get();
        task = open.erase(task);
      } else {
        ++task;
      }
    return open.size() < before;
  };
  bool more = true;
  while (more || !open.empty()) {
    const uint64_t seen = limiter_.events();
    for (const auto document : std::exchange(waiting_, {})) document.resume();
    bool moved = close();
    if (more && open.size() < most_ && limiter_.all_begun()) {
      std::optional<Task<void>> task = next();
      more = task.has_value();
      if (more) {
        open.push_back(std::move(*task));
        open.back().start();
        close();
      }
      moved = true;
    }
    moved |= run_pass_();  // last: pages that were begun above wait for it
    if (!moved && !open.empty()) limiter_.wait(seen);
  }
}

}  // namespace docspec

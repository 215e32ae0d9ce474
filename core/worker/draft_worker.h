#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/worker/draft_service.h"
#include "core/worker/fork_server.h"

namespace docspec {

/// The limits of a worker.
struct WorkerLimits {
  double page_seconds = 120;                       ///< for opening a document, for one page
  int64_t memory_bytes = int64_t{1536} << 20;      ///< besides the input's own bytes
  const std::atomic<bool>* interrupted = nullptr;  ///< set: waiting ends at once
  Sandbox sandbox = {};
  double worker_seconds = 600;  ///< of a process's processors; then another one takes its place
};

/// Worker processes that read pages, so that a file that hangs or crashes a library costs a page
/// and not the run. A process serves one thread at a time and is used again.
class WorkerPool {
 public:
  /// Forks the fork server: call it before any thread exists. Throws Error(internal).
  WorkerPool(const WorkerLimits& limits, MakeDraftService make_service);

  const WorkerLimits& limits() const { return limits_; }
  /// Sum over processes, that of a process that ended included once: an upper bound.
  double peak_memory_mb() const;
  /// Processes that crashed or went beyond a limit so far.
  int lost() const;

 private:
  friend class DraftWorker;
  struct Process {
    ForkServer::Worker worker;
    std::shared_ptr<const InputBytes> open = nullptr;  ///< the document it has open
    DocumentFacts facts = {};                          ///< of that document
    int64_t peak_kb = 0;
    double cpu_seconds = 0;
    int answers = 0;         ///< so far
    std::string asked = {};  ///< a request whose answer was not fetched yet
  };

  /// An idle process that is free or has been asked this very request, or a new one.
  Process take(const InputBytes* preferred, const std::string& request);
  void give_back(Process process);
  /// Ends a process; returns its wait status. `lost`: it did so by a fault of its own.
  int kill_and_reap(const Process& process, bool lost);

  const WorkerLimits limits_;
  mutable std::mutex mutex_;
  ForkServer fork_server_;
  std::vector<Process> idle_;
  int64_t peak_kb_ = 0;  ///< sum of the processes alive
  int64_t most_kb_ = 0;  ///< the largest value that peak_kb_ had
  int lost_ = 0;
};

/// One document in a worker process of its own, replaced when it is lost. Serves one thread.
class DraftWorker {
 public:
  DraftWorker(WorkerPool& pool, std::shared_ptr<const InputBytes> input, std::string password);
  ~DraftWorker();
  DraftWorker(const DraftWorker&) = delete;
  DraftWorker& operator=(const DraftWorker&) = delete;

  /// Opens the document. Throws what open_document throws, and Error(input_file) when the document
  /// crashes its reader, takes longer than the limit, or wants more memory.
  const DocumentFacts& facts();
  /// The document's bookmarks; none where reading them does not end well: the pages do not need
  /// them. Throws Error(interrupted).
  std::vector<OutlineEntry> outline();
  /// Has the page drafted while the caller does something else: draft(page) of the same document,
  /// by this object or another one of the pool, then waits only for the answer.
  void draft_ahead(int page);
  /// Throws what the drafters throw. A page that cannot be read within the limits has `failure` and
  /// what its text layer holds. Throws Error(interrupted).
  DraftedPage draft(int page);

 private:
  /// `descriptor`: goes with the request; -1 = none.
  Answer ask(const std::string& request, double seconds, const std::string& where,
             int descriptor = -1);
  /// The same with a process that has the document open, twice where the system kills the first.
  Answer ask_open(const std::string& request, double seconds, const std::string& where);
  /// Has a process with the document open, the one that was asked `request` before if there is one.
  void ensure_open(const std::string& request = {});
  void end_when_old();
  DraftedPage rescue(int page, Failure failure);

  WorkerPool& pool_;
  std::shared_ptr<const InputBytes> input_;
  std::string password_;
  std::optional<WorkerPool::Process> process_;
};

}  // namespace docspec

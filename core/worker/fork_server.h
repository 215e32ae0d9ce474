#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>

#include "core/worker/channel.h"

namespace docspec {

/// A process that only makes worker processes. It is forked while this process has one thread and
/// no model, so that its own forks are safe, take a millisecond, and hold no weights; starting the
/// binary anew would cost 0.4 s of loading libtorch each time. All of them end with this process.
class ForkServer {
 public:
  struct Worker {
    pid_t pid = 0;
    FileDescriptor socket;
  };

  /// Forks the fork server. `serve` runs in each worker with the worker's end of its socket; the
  /// worker ends when it returns. Call it before any thread exists. Throws Error(internal).
  explicit ForkServer(std::function<void(int socket)> serve);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  /// A new worker. Throws Error(internal) when the system gives none. Any thread may call it.
  Worker spawn();
  /// Kills a worker and returns its wait status: that of its own end if it had ended before.
  int kill_and_reap(const Worker& worker);

 private:
  int ask(char what, pid_t pid, int fd);

  std::mutex mutex_;  ///< one request at a time
  pid_t pid_ = 0;
  FileDescriptor socket_;
};

}  // namespace docspec

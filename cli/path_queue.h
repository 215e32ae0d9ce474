#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>

#include "core/base/file_descriptor.h"

namespace docspec {

/// Paths that a file or pipe names, one a line, as they come. A thread of its own reads them.
class PathQueue {
 public:
  /// `file`: "-" = standard input. `changed` is called in that thread after each path and at the
  /// end. `interrupted` ends it. Throws Error(input_file).
  PathQueue(const std::string& file, std::function<void()> changed,
            const std::atomic<bool>& interrupted);
  ~PathQueue();

  /// Whether `take` has an answer, and whether that is the end.
  bool ready() const;
  bool ended() const;
  /// The next path; nullopt at the end.
  std::optional<std::string> take();

 private:
  void read();
  void add_lines(std::string& bytes, bool last);

  const FileDescriptor file_;  ///< none for standard input
  const std::function<void()> changed_;
  const std::atomic<bool>& interrupted_;
  mutable std::mutex mutex_;
  std::queue<std::string> paths_;
  bool ended_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace docspec

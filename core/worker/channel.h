#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/file_descriptor.h"

namespace docspec {

/// Until when to wait, and what ends a wait earlier.
struct Deadline {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* interrupted = nullptr;
  /// Time since the wait began that does not count towards the deadline.
  std::function<std::chrono::nanoseconds()> uncounted = {};

  /// Puts the deadline off by a time in which this process did not run though it should have: a job
  /// that was suspended (Ctrl-Z, a batch scheduler) stood still with its workers.
  void add_standstill(std::chrono::nanoseconds standstill);
};

enum class IoStatus { done, closed, timed_out, interrupted };

/// Length-prefixed messages (8 bytes, then as many bytes as they say) over a stream socket.
IoStatus send_message(int socket, std::string_view message, Deadline& deadline);
/// Receives one message of at most 3 GB into `message`; a longer one counts as closed.
IoStatus receive_message(int socket, std::string& message, Deadline& deadline);

/// Two connected stream sockets, closed on exec. Throws Error(internal).
std::pair<FileDescriptor, FileDescriptor> socket_pair();

}  // namespace docspec

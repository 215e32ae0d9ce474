#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/file_descriptor.h"

namespace docspec {

/// Until when to wait, and what ends the wait earlier.
struct Deadline {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* interrupted = nullptr;
  /// Time since the wait began that does not count towards the deadline.
  std::function<std::chrono::nanoseconds()> uncounted = {};

  /// Extends the deadline by the time in which this process was suspended (Ctrl-Z, a job
  /// scheduler): its workers stood still as well.
  void add_standstill(std::chrono::nanoseconds standstill);
};

enum class IoStatus { done, closed, timed_out, interrupted };

/// Length-prefixed messages (8 bytes, then as many bytes as they say) over a stream socket.
IoStatus send_message(int socket, std::string_view message, Deadline& deadline);
/// Receives one message of at most 3 GB into `message`; a longer one counts as closed.
IoStatus receive_message(int socket, std::string& message, Deadline& deadline);

/// Bytes with a descriptor that the other end gets a copy of; -1 = none. Returns whether all were
/// sent. Few bytes: they are sent at once.
bool send_with_descriptor(int socket, const void* data, size_t size, int fd);
/// Waits for what send_with_descriptor sends, and puts it into `data`. Returns whether `size` bytes
/// came.
bool receive_with_descriptor(int socket, void* data, size_t size, FileDescriptor& fd);

/// Two connected stream sockets, closed on exec. Throws Error(internal).
std::pair<FileDescriptor, FileDescriptor> socket_pair();

}  // namespace docspec

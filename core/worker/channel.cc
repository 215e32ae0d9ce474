#include "core/worker/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace docspec {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t kLongest = uint64_t{3} << 30;

/// Waits until the socket is ready for `events` or broken.
Exchange wait(int socket, short events, Patience& patience) {
  using std::chrono::milliseconds;
  while (true) {
    if (patience.interrupted && *patience.interrupted) return Exchange::interrupted;
    auto time = patience.deadline - Clock::now();
    if (time <= time.zero() && patience.uncounted) time += patience.uncounted();
    // Rounded up: with less than a millisecond left, what does not count is not asked for yet.
    const auto left = std::chrono::ceil<milliseconds>(time).count();
    if (left <= 0) return Exchange::timed_out;
    pollfd entry{socket, events, 0};
    // In slices: a signal may have been taken by another thread.
    const int slice = int(std::min<long>(left, 100));
    const auto begin = Clock::now();
    const int ready = poll(&entry, 1, slice);
    patience.add_standstill(Clock::now() - begin - milliseconds(slice));
    if (ready > 0) return Exchange::done;
    if (ready < 0 && errno != EINTR) return Exchange::closed;
  }
}

/// Moves `size` bytes by `step`, send or recv.
template <typename Step>
Exchange transfer(int socket, short events, size_t size, Patience& patience, Step step) {
  for (size_t at = 0; at < size;) {
    const ssize_t moved = step(at);
    if (moved > 0) {
      at += size_t(moved);
      continue;
    }
    if (moved == 0) return Exchange::closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return Exchange::closed;
    if (const Exchange end = wait(socket, events, patience); end != Exchange::done) return end;
  }
  return Exchange::done;
}

Exchange send_bytes(int socket, const char* data, size_t size, Patience& patience) {
  return transfer(socket, POLLOUT, size, patience, [&](size_t at) {
    return send(socket, data + at, size - at, MSG_DONTWAIT | MSG_NOSIGNAL);
  });
}

Exchange receive_bytes(int socket, char* data, size_t size, Patience& patience) {
  return transfer(socket, POLLIN, size, patience,
                  [&](size_t at) { return recv(socket, data + at, size - at, MSG_DONTWAIT); });
}

}  // namespace

void Patience::add_standstill(std::chrono::nanoseconds time) {
  constexpr auto kNoticed = std::chrono::seconds(1);
  if (time > kNoticed && deadline != Clock::time_point::max()) deadline += time;
}

Exchange send_message(int socket, std::string_view message, Patience& patience) {
  const uint64_t size = message.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  const Exchange sent = send_bytes(socket, head, sizeof head, patience);
  return sent == Exchange::done ? send_bytes(socket, message.data(), message.size(), patience)
                                : sent;
}

Exchange receive_message(int socket, std::string& message, Patience& patience) {
  uint64_t size = 0;
  char head[sizeof size];
  const Exchange received = receive_bytes(socket, head, sizeof head, patience);
  if (received != Exchange::done) return received;
  std::memcpy(&size, head, sizeof size);
  if (size > kLongest) return Exchange::closed;
  message.resize(size);
  return receive_bytes(socket, message.data(), size, patience);
}

std::pair<FileDescriptor, FileDescriptor> socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ExitCode::internal, std::string("no socket for a worker process: ") +
                                        std::strerror(errno) +
                                        "; lower --jobs or raise the limit of open files");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace docspec

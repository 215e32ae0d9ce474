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
IoStatus wait(int socket, short events, Deadline& deadline) {
  using std::chrono::milliseconds;
  while (true) {
    if (deadline.interrupted && *deadline.interrupted) return IoStatus::interrupted;
    auto time = deadline.time - Clock::now();
    if (time <= time.zero() && deadline.uncounted) time += deadline.uncounted();
    // Rounded up: with less than a millisecond left, what does not count is not asked for yet.
    const auto left = std::chrono::ceil<milliseconds>(time).count();
    if (left <= 0) return IoStatus::timed_out;
    pollfd entry{socket, events, 0};
    // In slices: a signal may have been taken by another thread.
    const int slice = int(std::min<long>(left, 100));
    const auto begin = Clock::now();
    const int ready = poll(&entry, 1, slice);
    deadline.add_standstill(Clock::now() - begin - milliseconds(slice));
    if (ready > 0) return IoStatus::done;
    if (ready < 0 && errno != EINTR) return IoStatus::closed;
  }
}

/// Moves `size` bytes by `step`, send or recv.
template <typename Step>
IoStatus transfer(int socket, short events, size_t size, Deadline& deadline, Step step) {
  for (size_t at = 0; at < size;) {
    const ssize_t moved = step(at);
    if (moved > 0) {
      at += size_t(moved);
      continue;
    }
    if (moved == 0) return IoStatus::closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return IoStatus::closed;
    if (const IoStatus end = wait(socket, events, deadline); end != IoStatus::done) return end;
  }
  return IoStatus::done;
}

IoStatus send_bytes(int socket, const char* data, size_t size, Deadline& deadline) {
  return transfer(socket, POLLOUT, size, deadline, [&](size_t at) {
    return send(socket, data + at, size - at, MSG_DONTWAIT | MSG_NOSIGNAL);
  });
}

IoStatus receive_bytes(int socket, char* data, size_t size, Deadline& deadline) {
  return transfer(socket, POLLIN, size, deadline,
                  [&](size_t at) { return recv(socket, data + at, size - at, MSG_DONTWAIT); });
}

}  // namespace

void Deadline::add_standstill(std::chrono::nanoseconds standstill) {
  constexpr auto kNoticed = std::chrono::seconds(1);
  if (standstill > kNoticed && time != Clock::time_point::max()) time += standstill;
}

IoStatus send_message(int socket, std::string_view message, Deadline& deadline) {
  const uint64_t size = message.size();
  char head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  const IoStatus sent = send_bytes(socket, head, sizeof head, deadline);
  return sent == IoStatus::done ? send_bytes(socket, message.data(), message.size(), deadline)
                                : sent;
}

IoStatus receive_message(int socket, std::string& message, Deadline& deadline) {
  uint64_t size = 0;
  char head[sizeof size];
  const IoStatus received = receive_bytes(socket, head, sizeof head, deadline);
  if (received != IoStatus::done) return received;
  std::memcpy(&size, head, sizeof size);
  if (size > kLongest) return IoStatus::closed;
  message.resize(size);
  return receive_bytes(socket, message.data(), size, deadline);
}

bool send_with_descriptor(int socket, const void* data, size_t size, int fd) {
  iovec part{const_cast<void*>(data), size};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == ssize_t(size);
}

bool receive_with_descriptor(int socket, void* data, size_t size, FileDescriptor& fd) {
  iovec part{data, size};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  ssize_t got = 0;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  fd.close();
  if (const cmsghdr* head = got < 0 ? nullptr : CMSG_FIRSTHDR(&message)) {
    int received = -1;
    std::memcpy(&received, CMSG_DATA(head), sizeof received);
    fd = FileDescriptor(received);
  }
  return got == ssize_t(size);
}

std::pair<FileDescriptor, FileDescriptor> socket_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(ExitCode::out_of_memory, std::string("no socket for a worker process: ") +
                                             std::strerror(errno) +
                                             "; lower --jobs or raise the limit of open files");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace docspec

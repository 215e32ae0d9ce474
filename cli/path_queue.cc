#include "cli/path_queue.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace docspec {

PathQueue::PathQueue(const std::string& file, std::function<void()> changed,
                     const std::atomic<bool>& interrupted)
    : file_(file == "-" ? -1 : open(file.c_str(), O_RDONLY | O_CLOEXEC)),
      changed_(std::move(changed)),
      interrupted_(interrupted) {
  if (file != "-" && file_.get() < 0)
    throw Error(ExitCode::input_file,
                "--files-from " + file + ": " + std::strerror(errno) + "; check the name");
  thread_ = std::thread([this] { read(); });
}

PathQueue::~PathQueue() {
  stop_ = true;
  thread_.join();
}

bool PathQueue::ready() const {
  const std::lock_guard lock(mutex_);
  return ended_ || !paths_.empty();
}

bool PathQueue::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_ && paths_.empty();
}

std::optional<std::string> PathQueue::take() {
  const std::lock_guard lock(mutex_);
  if (paths_.empty()) return std::nullopt;
  std::string path = std::move(paths_.front());
  paths_.pop();
  return path;
}

/// Moves whole lines, and at the end the last one, to the queue.
void PathQueue::add_lines(std::string& bytes, bool last) {
  const std::lock_guard lock(mutex_);
  size_t from = 0;
  for (size_t end; (end = bytes.find('\n', from)) != bytes.npos; from = end + 1)
    if (end > from) paths_.push(bytes.substr(from, end - from));
  bytes.erase(0, from);
  if (last && !bytes.empty()) paths_.push(std::move(bytes));
  ended_ = last;
}

void PathQueue::read() {
  constexpr int kLookMs = 200;  // how often it sees that it is to stop
  std::string bytes;
  std::array<char, 1 << 16> some;
  pollfd wait{file_.get() < 0 ? STDIN_FILENO : file_.get(), POLLIN, 0};
  while (!stop_ && !interrupted_) {
    if (poll(&wait, 1, kLookMs) <= 0) continue;
    const ssize_t count = ::read(wait.fd, some.data(), some.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    bytes.append(some.data(), size_t(count));
    add_lines(bytes, false);
    changed_();
  }
  if (stop_ || interrupted_) bytes.clear();
  add_lines(bytes, true);
  changed_();
}

}  // namespace docspec

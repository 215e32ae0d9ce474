#include "core/worker/fork_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "core/base/error.h"

namespace docspec {
namespace {

struct ForkRequest {
  char what;  ///< 's' a worker for the socket that comes along, 'b' the wait status of `pid`
  pid_t pid;
};

void end_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it ended before prctl was in force
}

/// Ignores terminal signals (the parent handles them) and discards what libraries print.
void detach_from_terminal() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
  close(nowhere);
}

/// Closes what came from docspec's parent or was open before: a worker shall hold its socket alone.
void close_all_but(int kept) {
  close_range(STDERR_FILENO + 1, unsigned(kept) - 1, 0);
  close_range(unsigned(kept) + 1, ~0u, 0);
}

/// The fork server's life: forks and waits until its parent closes the socket.
[[noreturn]] void run_fork_server(int socket, const std::function<void(int)>& serve) {
  ForkRequest request{};
  for (FileDescriptor fd; receive_with_descriptor(socket, &request, sizeof request, fd);) {
    int answer = -1;
    if (request.what == 's') {
      const pid_t self = getpid();
      answer = fork();
      if (answer == 0) {
        end_with_parent(self);
        close(socket);
        serve(fd.get());
        _exit(0);
      }
      fd.close();
    } else {
      waitpid(request.pid, &answer, 0);
    }
    if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) != ssize_t(sizeof answer)) break;
  }
  alarm(2);                              // a child that does not end is killed with this process
  while (::wait(nullptr) > 0) continue;  // so that `time docspec` counts their work
  _exit(0);
}

}  // namespace

ForkServer::ForkServer(std::function<void(int)> serve) {
  auto [mine, its] = socket_pair();
  const pid_t self = getpid();
  pid_ = fork();
  if (pid_ < 0)
    throw Error(ExitCode::out_of_memory, std::string("no worker process: ") + std::strerror(errno) +
                                             "; raise the limit of processes");
  if (pid_ == 0) {
    end_with_parent(self);
    mine.close();
    detach_from_terminal();
    close_all_but(its.get());
    run_fork_server(its.get(), serve);
  }
  socket_ = std::move(mine);
}

ForkServer::~ForkServer() {
  socket_.close();
  waitpid(pid_, nullptr, 0);
}

int ForkServer::ask(char what, pid_t pid, int fd) {
  std::lock_guard lock(mutex_);
  int answer = -1;
  const ForkRequest request{what, pid};
  if (!send_with_descriptor(socket_.get(), &request, sizeof request, fd)) return -1;
  ssize_t size = 0;
  do size = recv(socket_.get(), &answer, sizeof answer, MSG_WAITALL);
  while (size < 0 && errno == EINTR);
  return size == ssize_t(sizeof answer) ? answer : -1;
}

ForkServer::Worker ForkServer::spawn() {
  auto [mine, its] = socket_pair();
  const pid_t pid = ask('s', 0, its.get());
  if (pid <= 0)
    throw Error(ExitCode::out_of_memory,
                "no process for a drafting worker; lower --jobs or raise the limit of processes");
  return {pid, std::move(mine)};
}

int ForkServer::kill_and_reap(const Worker& worker) {
  kill(worker.pid, SIGKILL);  // without effect on one that has ended and keeps its status
  return ask('b', worker.pid, -1);
}

}  // namespace docspec

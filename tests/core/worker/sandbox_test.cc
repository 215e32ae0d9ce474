// Code of a hostile document, run in a worker: what it can reach.
#include "core/worker/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

#include "core/base/file_descriptor.h"
#include "core/worker/draft_worker.h"
#include "tests/support/files.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

bool opens(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

/// Attempts by name; each returns whether it got through. `folder` holds "secret", readable by all.
std::vector<std::pair<std::string, std::function<bool()>>> attempts(const std::string& folder) {
  return {
      {"reads a file", [=] { return opens(folder + "/secret", O_RDONLY); }},
      {"reads /etc/passwd", [] { return opens("/etc/passwd", O_RDONLY); }},
      {"reads the memory of its parent",
       [] { return opens("/proc/" + std::to_string(getppid()) + "/mem", O_RDONLY); }},
      {"lists a folder", [=] { return opens(folder, O_RDONLY | O_DIRECTORY); }},
      {"writes a file", [=] { return opens(folder + "/secret", O_WRONLY); }},
      {"makes a file", [=] { return opens(folder + "/new", O_WRONLY | O_CREAT); }},
      {"makes a nameless file", [=] { return opens(folder, O_TMPFILE | O_RDWR); }},
      {"makes a file in /tmp", [] { return opens("/tmp/docspec-escape", O_WRONLY | O_CREAT); }},
      {"truncates", [=] { return ::truncate((folder + "/secret").c_str(), 0) == 0; }},
      {"removes", [=] { return ::unlink((folder + "/secret").c_str()) == 0; }},
      {"renames",
       [=] { return ::rename((folder + "/secret").c_str(), (folder + "/x").c_str()) == 0; }},
      {"makes a folder", [=] { return ::mkdir((folder + "/d").c_str(), 0700) == 0; }},
      {"makes a link", [=] { return ::symlink("/etc/passwd", (folder + "/l").c_str()) == 0; }},
      {"changes rights", [=] { return ::chmod((folder + "/secret").c_str(), 0777) == 0; }},
      {"opens a socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
      {"opens a local socket", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
      {"makes a pair of sockets",
       [] {
         int ends[2];
         return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
       }},
      {"makes a process",
       [] {
         const pid_t pid = ::fork();
         if (pid == 0) _exit(0);
         return pid > 0;
       }},
      {"runs a program",
       [] {
         char* const words[] = {const_cast<char*>("true"), nullptr};
         ::execve("/bin/true", words, nullptr);
         return false;  // where it gets through, the answer never comes
       }},
      {"traces its parent",
       [] { return ::ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0; }},
      {"signals its parent", [] { return ::kill(getppid(), 0) == 0; }},
      {"gains rights", [] { return ::setuid(0) == 0; }},
      {"raises a limit",
       [] {
         const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
         return ::setrlimit(RLIMIT_CORE, &none) == 0;
       }},
      {"makes a namespace", [] { return ::unshare(CLONE_NEWUSER) == 0; }},
      {"mounts", [] { return ::syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, nullptr) == 0; }},
      {"looks at kernel messages", [] { return ::syscall(SYS_syslog, 10, nullptr, 0) >= 0; }},
      {"signals its parent by a descriptor",
       [] { return ::fcntl(STDIN_FILENO, F_SETOWN, getppid()) == 0; }},
      {"chooses the signal", [] { return ::fcntl(STDIN_FILENO, F_SETSIG, SIGKILL) == 0; }},
      {"reads what docspec had open",
       [] {
         char byte;
         for (int fd = STDERR_FILENO + 1; fd < 256; ++fd)
           if (::pread(fd, &byte, 1, 0) == 1) return true;
         return false;
       }},
      {"sees what its parent has open",
       [] {
         char path[256];
         const std::string link = "/proc/" + std::to_string(getppid()) + "/fd/0";
         return ::readlink(link.c_str(), path, sizeof path) > 0;
       }},
      {"reads its parent's environment",
       [] { return opens("/proc/" + std::to_string(getppid()) + "/environ", O_RDONLY); }},
      {"copies memory of its parent",
       [] {
         char byte;
         const iovec mine{&byte, 1}, its{&byte, 1};  // forked: the same addresses
         return ::process_vm_readv(getppid(), &mine, 1, &its, 1, 0) == 1;
       }},
      {"takes hold of its parent", [] { return ::syscall(SYS_pidfd_open, getppid(), 0) >= 0; }},
      {"asks for limits of its parent",
       [] {
         rlimit limit;
         return ::prlimit(getppid(), RLIMIT_CORE, nullptr, &limit) == 0;
       }},
      {"slows its parent down", [] { return ::setpriority(PRIO_PROCESS, getppid(), 1) == 0; }},
      {"makes a process by clone",
       [] {
         const long pid = ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
         if (pid == 0) _exit(0);
         return pid > 0;
       }},
      {"makes a process by clone3",
       [] { return ::syscall(SYS_clone3, nullptr, 0) >= 0 || errno != ENOSYS; }},
      {"makes a file in memory", [] { return ::memfd_create("x", 0) >= 0; }},
      {"runs a program by a descriptor",
       [] { return ::syscall(SYS_execveat, -1, "", nullptr, nullptr, 0) == 0 || errno != EPERM; }},
      {"opens by the newer call",
       [=] {
         const uint64_t how[3] = {O_RDONLY, 0, 0};
         return ::syscall(SYS_openat2, AT_FDCWD, (folder + "/secret").c_str(), how, sizeof how) >=
                0;
       }},
      {"opens by a handle",
       [] {
         return ::syscall(SYS_open_by_handle_at, AT_FDCWD, nullptr, 0) >= 0 || errno != EPERM;
       }},
      {"makes a device", [=] { return ::mknod((folder + "/n").c_str(), S_IFIFO | 0600, 0) == 0; }},
      {"changes its root", [] { return ::chroot("/usr") == 0; }},
      {"shares memory by a key", [] { return ::shmget(IPC_PRIVATE, 1, 0600) >= 0; }},
      {"makes a queue", [] { return ::msgget(IPC_PRIVATE, 0600) >= 0; }},
      {"keeps a key", [] { return ::syscall(SYS_add_key, "user", "x", "x", 1, -2) >= 0; }},
      {"catches faults of pages", [] { return ::syscall(SYS_userfaultfd, 1) >= 0; }},
      {"loads BPF", [] { return ::syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != EPERM; }},
      {"types into the terminal",
       [] { return ::ioctl(STDIN_FILENO, TIOCSTI, "x") == 0 || errno != EPERM; }},
      {"makes io_uring", [] { return ::syscall(425, 1, nullptr) >= 0 || errno == EFAULT; }},
  };
}

/// Page N is attempt N; its text says what came of it. The page behind them starts a thread.
class Escaping : public DraftService {
 public:
  explicit Escaping(std::string folder) : attempts_(attempts(folder)) {}
  DocumentFacts open(std::shared_ptr<const InputBytes>, const std::string&) override {
    return {int(attempts_.size())};
  }
  DraftedPage draft(int page) override {
    bool through = false;
    if (page <= int(attempts_.size()))
      through = attempts_[size_t(page) - 1].second();
    else
      std::thread([&] { through = opens("/usr/share", O_RDONLY | O_DIRECTORY); }).join();
    DraftedPage out;
    out.drafts.page = page;
    out.drafts.drafts.push_back({std::nullopt, "test", through ? "through" : "refused", 1, {}});
    return out;
  }
  DraftedPage text_layer(int) override { return {}; }

 private:
  std::vector<std::pair<std::string, std::function<bool()>>> attempts_;
};

class SandboxTest : public testing::Test {
 protected:
  SandboxTest()
      : open_((test::write_file(dir_ / "secret", "words"),
               ::open((dir_ / "secret").c_str(), O_RDONLY))) {}

  std::string outcome(Sandbox sandbox, int page) {
    WorkerLimits limits;
    limits.sandbox = std::move(sandbox);
    WorkerPool pool(limits,
                    [folder = dir_.path().string()] { return std::make_unique<Escaping>(folder); });
    DraftWorker worker(pool, std::make_shared<InputBytes>(InputBytes{"in.pdf", std::string("x")}),
                       "");
    const DraftedPage drafted = worker.draft(page);
    return drafted.drafts.drafts.empty() ? "lost" : drafted.drafts.drafts[0].text;
  }

  test::TempDir dir_;
  FileDescriptor open_;  ///< as docspec's parent may leave one
};

TEST_F(SandboxTest, AHostileWorkerOpensNoFileSocketOrProcess) {
  if (!sandbox_state().complete()) GTEST_SKIP() << sandbox_state().text();
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer opens files of its own";
  const auto tried = attempts(dir_.path());
  for (size_t i = 0; i < tried.size(); ++i)
    EXPECT_EQ(outcome({}, int(i) + 1), "refused") << tried[i].first;
  EXPECT_EQ(test::read_file(dir_ / "secret"), "words");
  EXPECT_EQ(outcome({}, int(tried.size()) + 1), "through") << "threads, and what all programs read";
}

TEST_F(SandboxTest, WhatItMayReadIsNamed) {
  if (!sandbox_state().complete() || test::kSanitized) GTEST_SKIP();
  EXPECT_EQ(outcome({SandboxMode::on, {dir_.path()}}, 1), "through");
  EXPECT_EQ(outcome({SandboxMode::on, {dir_.path()}}, 5), "refused") << "for writing";
}

TEST_F(SandboxTest, EndsAProcessThatWorksWithoutEnd) {
  class Working : public Escaping {
   public:
    using Escaping::Escaping;
    DraftedPage draft(int) override {
      for (std::atomic<int> i = 0;; ++i) {
      }
    }
  };
  WorkerLimits limits;
  limits.sandbox.cpu_seconds = 1;
  WorkerPool pool(limits, [] { return std::make_unique<Working>(""); });
  DraftWorker worker(pool, std::make_shared<InputBytes>(InputBytes{"in.pdf", std::string("x")}),
                     "");
  const DraftedPage page = worker.draft(1);  // long before the limit of the page
  ASSERT_TRUE(page.failure);
  EXPECT_NE(page.failure->message.find("was killed"), std::string::npos) << page.failure->message;
}

TEST_F(SandboxTest, IsLeftOutOnRequest) {
  for (const int page : {1, 5, 15, 18})
    EXPECT_EQ(outcome({SandboxMode::off}, page), "through") << page;
}

}  // namespace
}  // namespace docspec

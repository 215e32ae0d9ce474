// Code of a hostile document, run in a worker: what it can reach.
#include "core/worker/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

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
  SandboxTest() { test::write_file(dir_ / "secret", "words"); }

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
      for (volatile int i = 0;; i = i + 1) {
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

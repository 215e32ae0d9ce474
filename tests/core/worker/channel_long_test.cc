#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "core/worker/channel.h"

namespace docspec {
namespace {

using namespace std::chrono_literals;

TEST(ChannelLong, ASuspendedProcessDoesNotFindItsDeadlinePassed) {
  const auto [here, there] = socket_pair();
  const pid_t child = fork();
  if (child == 0) {
    Deadline deadline{std::chrono::steady_clock::now() + 5s};
    std::string message;
    _exit(receive_message(here.get(), message, deadline) == IoStatus::done ? 0 : 1);
  }
  std::this_thread::sleep_for(100ms);
  kill(child, SIGSTOP);
  std::this_thread::sleep_for(6s);
  kill(child, SIGCONT);
  std::this_thread::sleep_for(300ms);  // it looks at the clock before the answer comes
  Deadline endless;
  EXPECT_EQ(send_message(there.get(), "late", endless), IoStatus::done);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace docspec

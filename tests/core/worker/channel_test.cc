#include "core/worker/channel.h"

#include <gtest/gtest.h>

#include <thread>

namespace docspec {
namespace {

using namespace std::chrono_literals;

TEST(Channel, TimeThatDoesNotCountPutsTheDeadlineOff) {
  const auto [here, there] = socket_pair();
  Deadline deadline{std::chrono::steady_clock::now() - 1s};
  std::string message;
  EXPECT_EQ(receive_message(here.get(), message, deadline), IoStatus::timed_out);
  deadline.uncounted = [] { return 500ms; };  // half a second too little
  EXPECT_EQ(receive_message(here.get(), message, deadline), IoStatus::timed_out);
  deadline.uncounted = [] { return 1h; };
  std::thread answer([socket = there.get()] {
    Deadline endless;
    send_message(socket, "late", endless);
  });
  EXPECT_EQ(receive_message(here.get(), message, deadline), IoStatus::done);
  EXPECT_EQ(message, "late");
  answer.join();
}

TEST(Channel, TheLastPartOfAMillisecondIsWaitedFor) {
  const auto [here, there] = socket_pair();
  Deadline deadline{std::chrono::steady_clock::now() + 900us};
  deadline.uncounted = [socket = there.get()] {
    Deadline endless;
    send_message(socket, "asked", endless);
    return 1h;
  };
  std::string message;
  EXPECT_EQ(receive_message(here.get(), message, deadline), IoStatus::done);
  EXPECT_EQ(message, "asked");
}

}  // namespace
}  // namespace docspec

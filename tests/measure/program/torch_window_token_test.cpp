#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "measure/program/window_token.h"

namespace stepgate {
namespace {

struct Ends {
  std::array<int, 2> sockets{};
  Ends() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0); }
};

TEST(WindowToken, NeverTwoAtATimeAndOneAfterTheOther) {
  const Ends ends;
  std::string log;  // without a lock on purpose: only the thread with the token writes
  const auto windows = [&log](int socket, char name) {
    WindowToken turns(socket);
    turns.take();
    for (int window = 0; window < 3; ++window) {
      log += name;
      turns.give();
      turns.take();
    }
    log += static_cast<char>(std::tolower(name));
    ::send(socket, "e", 1, 0);  // the launcher's message that a process ended
  };
  std::thread other(windows, ends.sockets[1], 'B');
  ASSERT_EQ(::send(ends.sockets[1], "t", 1, 0), 1);  // starts the first of the two
  windows(ends.sockets[0], 'A');
  other.join();
  for (const int socket : ends.sockets) ::close(socket);
  EXPECT_EQ(log, "ABABABab");
}

/// One process of a pair that gives the byte away for 50 ms, while a thread of it spins or sleeps.
WaitingCpu waited(const std::atomic<bool>& spins) {
  const Ends ends;
  WindowToken turns(ends.sockets[0]);
  EXPECT_EQ(::send(ends.sockets[1], "t", 1, 0), 1);
  turns.take();
  std::atomic<bool> over = false;
  std::thread background([&] {
    while (!over) {
      if (!spins) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  turns.give();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::send(ends.sockets[1], "t", 1, 0);
  });
  turns.take();
  over = true;
  background.join();
  other.join();
  for (const int socket : ends.sockets) ::close(socket);
  return turns.waiting();
}

TEST(WindowToken, AWaitingProcessThatWorksIsSeen) {
  const WaitingCpu idle = waited(false);
  const WaitingCpu busy = waited(true);
  EXPECT_GE(idle.wall_ns, 50'000'000);
  EXPECT_GE(busy.wall_ns, 50'000'000);
  EXPECT_GT(busy.cpu_ns, 5'000'000) << "even where other tests leave it a tenth of a CPU";
  EXPECT_LT(idle.cpu_ns, busy.cpu_ns / 2);
}

TEST(WindowToken, AnEndedPeerNeitherBlocksNorKillsTheProcess) {
  const Ends ends;
  ::close(ends.sockets[1]);
  WindowToken turns(ends.sockets[0]);
  turns.give();  // SIGPIPE would end the test
  turns.take();
  turns.take();
  ::close(ends.sockets[0]);
}

}  // namespace
}  // namespace stepgate

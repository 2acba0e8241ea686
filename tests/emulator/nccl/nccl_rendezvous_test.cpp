#include "emulator/nccl/nccl_rendezvous.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

namespace stepgate::emulator {
namespace {

/// Stays at the door of rank 0 until that process has ended.
void knock_at(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int connection = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  for (int tries = 0; tries < 1000; ++tries) {
    if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), bytes) == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  char answer = 0;
  static_cast<void>(::recv(connection, &answer, 1, 0));
  ::close(connection);
}

/// A process that can open no more files lets no guest in, so one is at its door all the time.
TEST(NcclRendezvous, AGuestThatIsNotLetInTakesNoPatience) {
  const std::string name = new_nccl_name();
  const pid_t host = ::fork();
  if (host == 0) {
    ::alarm(10);
    ::close_range(3, ~0U, 0);
    const rlimit door_and_memory{5, 5};
    ::setrlimit(RLIMIT_NOFILE, &door_and_memory);
    const NcclRoom room = enter_room({.name = name, .ranks = 2, .rank = 0, .patience_ms = 300});
    ::_exit(room.error == "not all ranks came in time" ? 3 : 4);
  }
  std::thread guest([&name] { knock_at(name); });
  int status = 0;
  ::waitpid(host, &status, 0);
  guest.join();
  ASSERT_TRUE(WIFEXITED(status)) << "it did not end by itself";
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

}  // namespace
}  // namespace stepgate::emulator

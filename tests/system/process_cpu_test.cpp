#include "system/process_cpu.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace stepgate {
namespace {

constexpr std::int64_t work_ns = 20'000'000;

std::int64_t thread_clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

/// Until the calling thread has used that much, however busy the machine is.
void use_cpu() {
  const std::int64_t begin = thread_clock_ns();
  while (thread_clock_ns() - begin < work_ns) {
  }
}

TEST(ProcessCpu, TheCallingThreadIsNoBackground) {
  const ProcessCpu before = read_process_cpu();
  use_cpu();
  const ProcessCpu after = read_process_cpu();
  EXPECT_GE(after.thread_ns - before.thread_ns, work_ns);
  EXPECT_LT(background_ns(before, after), work_ns / 4);
}

TEST(ProcessCpu, CountsAThreadThatEnded) {
  const ProcessCpu before = read_process_cpu();
  std::thread(use_cpu).join();
  EXPECT_GE(background_ns(before, read_process_cpu()), work_ns);
}

TEST(ProcessCpu, CountsAChildBeforeAndAfterItIsWaitedFor) {
  int ready[2] = {-1, -1};
  ASSERT_EQ(::pipe(ready), 0);
  const ProcessCpu before = read_process_cpu();
  const pid_t child = ::fork();
  if (child == 0) {
    use_cpu();
    static_cast<void>(::write(ready[1], "x", 1) < 0);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::int64_t alive = background_ns(before, read_process_cpu());
  ::kill(child, SIGKILL);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  for (const int end : ready) ::close(end);
  EXPECT_GE(alive, work_ns);
  // The kernel keeps the time of a waited child in microseconds, split into user and system time.
  EXPECT_GE(background_ns(before, read_process_cpu()), work_ns - 1'000'000);
}

TEST(ProcessCpu, BackgroundIsNeverNegative) {
  EXPECT_EQ(background_ns({.tree_ns = 100, .thread_ns = 10}, {.tree_ns = 110, .thread_ns = 40}), 0);
  EXPECT_EQ(background_ns({.tree_ns = 100, .thread_ns = 10}, {.tree_ns = 180, .thread_ns = 40}), 50);
}

}  // namespace
}  // namespace stepgate

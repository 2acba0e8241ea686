#include "measure/device/spare_cpu.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace stepgate {
namespace {

// Exit statuses beside numbers of CPUs.
constexpr int none_spare = 254;
constexpr int could_not_ask = 255;

TEST(SpareCpu, IsNoneOfTheProcess) {
  const auto cpu = spare_cpu();
  if (!cpu) GTEST_SKIP() << "this process may use every CPU";
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
  EXPECT_FALSE(CPU_ISSET(*cpu, &mine));
}

void stay_on(const cpu_set_t& cpus) { ASSERT_EQ(sched_setaffinity(0, sizeof(cpus), &cpus), 0); }

/// What spare_cpu() says in a child of this process that is pinned to `cpu`, as an exit status.
int spare_beside(int cpu) {
  const pid_t child = fork();
  if (child == 0) {
    const bool pinned = stay_on_cpu(cpu);
    _exit(pinned ? spare_cpu().value_or(none_spare) : could_not_ask);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return could_not_ask;
  return WEXITSTATUS(status);
}

/// taskset, a batch system or an option gave the launcher its CPUs.
TEST(SpareCpu, IsOneThatTheLauncherMayUse) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  const int cpu = sched_getcpu();
  const int spare = spare_beside(cpu);
  if (spare == none_spare) GTEST_SKIP() << "no core beside that of CPU " << cpu;
  EXPECT_TRUE(CPU_ISSET(spare, &all));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  stay_on(one);
  EXPECT_EQ(spare_beside(cpu), none_spare) << "the launcher may use CPU " << cpu << " alone";
  stay_on(all);
}

TEST(SpareCpu, AThreadThatMovesLeavesTheOthersWhereTheyAre) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  bool moved = false;
  std::thread([&] { moved = stay_on_cpu(sched_getcpu()); }).join();
  EXPECT_TRUE(moved);
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof(after), &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(SpareCpu, ACpuThatIsNotThereIsRefused) { EXPECT_FALSE(stay_on_cpu(CPU_SETSIZE - 1)); }

}  // namespace
}  // namespace stepgate

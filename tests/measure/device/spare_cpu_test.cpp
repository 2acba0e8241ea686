#include "measure/device/spare_cpu.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace stepgate {
namespace {

TEST(SpareCpu, IsNoneOfTheProcess) {
  const auto cpu = spare_cpu();
  if (!cpu) GTEST_SKIP() << "this process may use every CPU";
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
  EXPECT_FALSE(CPU_ISSET(*cpu, &mine));
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

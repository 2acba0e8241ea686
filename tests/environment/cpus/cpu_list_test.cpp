#include "environment/cpus/cpu_list.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cerrno>

namespace stepgate {
namespace {

TEST(CpuList, ReadsTheKernelsFormat) {
  EXPECT_EQ(cpu_list_from_text("0-3,8\n"), (CpuList{0, 1, 2, 3, 8}));
  EXPECT_EQ(cpu_list_from_text("5"), (CpuList{5}));
  EXPECT_EQ(cpu_list_from_text("3,1-2,2"), (CpuList{1, 2, 3}));
  EXPECT_EQ(cpu_list_from_text("\n"), CpuList{});
}

TEST(CpuList, RefusesWhatIsNoList) {
  for (const char* text : {"(null)", "1-", "-1", "3-1", "1,,2", "1,", "0-4000000000", "1 2", "ff"}) {
    EXPECT_EQ(cpu_list_from_text(text), std::nullopt) << text;
  }
}

TEST(CpuList, WritesRanges) {
  EXPECT_EQ(text_of({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(text_of({4}), "4");
  EXPECT_EQ(text_of({}), "");
}

TEST(CpuList, IntersectsAndSubtracts) {
  EXPECT_EQ(intersection({0, 1, 2}, {1, 2, 3}), (CpuList{1, 2}));
  EXPECT_EQ(difference({0, 1, 2}, {1}), (CpuList{0, 2}));
}

TEST(CpuList, AllowedCpusAgreeWithTheKernel) {
  const CpuList cpus = allowed_cpus();
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  ASSERT_EQ(static_cast<int>(cpus.size()), CPU_COUNT(&set));
  for (int cpu : cpus) EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpu), &set)) << cpu;
}

TEST(AffinityMask, MovesTheCallingThreadAndBack) {
  const CpuList home = allowed_cpus();
  const CpuList last = {home.back()};
  ASSERT_EQ(AffinityMask(last).apply_to_calling_thread(), 0);
  const CpuList moved = allowed_cpus();
  ASSERT_EQ(AffinityMask(home).apply_to_calling_thread(), 0);
  EXPECT_EQ(moved, last);
  EXPECT_EQ(allowed_cpus(), home);
}

TEST(AffinityMask, SaysWhyItCannotMove) {
  EXPECT_EQ(AffinityMask(CpuList{}).apply_to_calling_thread(), EINVAL);
  EXPECT_EQ(AffinityMask(CpuList{60000}).apply_to_calling_thread(), EINVAL);
}

}  // namespace
}  // namespace stepgate

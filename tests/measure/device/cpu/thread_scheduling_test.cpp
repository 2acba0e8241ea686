#include "measure/device/cpu/thread_scheduling.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(ThreadScheduling, SumsWhatCameAfter) {
  const ThreadTimes before = {{"1", {100, 10}}, {"2", {50, 5}}};
  const ThreadTimes now = {{"1", {400, 30}}, {"3", {7, 2}}};  // 2 ended, 3 began
  const auto between = scheduling_between(before, now, {.cpus = 2, .tree_ns = 307});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->run_ns, 307);
  EXPECT_EQ(between->wait_ns, 22);
}

TEST(ThreadScheduling, NothingRanIsAbsent) {
  EXPECT_FALSE(scheduling_between({}, {}, {}));
  EXPECT_FALSE(scheduling_between({{"1", {5, 5}}}, {{"1", {5, 5}}}, {}));
}

TEST(ThreadScheduling, MoreBusyThreadsThanCpusSayNothing) {
  const ThreadTimes now = {{"1", {1000, 10}}, {"2", {900, 500}}, {"3", {5, 1}}};  // the third hardly ran
  EXPECT_TRUE(scheduling_between({}, now, {.cpus = 2}));
  EXPECT_FALSE(scheduling_between({}, now, {.cpus = 1}));
}

TEST(ThreadScheduling, AThreadThatWaitsForOthersAloneWaitsForNothingOfItsOwn) {
  const auto between = scheduling_between({}, {{"1", {1000, 300}}, {"2", {5, 1}}}, {.cpus = 1, .tree_ns = 1005});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->wait_ns, 301);
  EXPECT_EQ(between->own_wait_ns, 6);  // behind the second thread at most 5, and that one behind the first 1
}

TEST(ThreadScheduling, WhatRanInThreadsThatEndedAndInChildrenExplainsTheWait) {
  const auto between = scheduling_between({}, {{"1", {1000, 900}}}, {.cpus = 1, .tree_ns = 1950});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->own_wait_ns, 900);
}

TEST(ThreadScheduling, BusyThreadsOnCpusOfTheirOwnDoNotExplainEachOthersWait) {
  const ThreadTimes now = {{"1", {1000, 200}}, {"2", {900, 100}}};
  const auto between = scheduling_between({}, now, {.cpus = 2, .tree_ns = 1910});
  ASSERT_TRUE(between);
  EXPECT_EQ(between->own_wait_ns, 20);
}

TEST(ThreadScheduling, CountsTheCpusOfThisProcess) { EXPECT_GE(usable_cpus(), 1); }

TEST(BackgroundThreads, AreNamedByWhatTheyUsed) {
  const TemporaryFolder folder;  // no thread has such a number
  for (const auto& [thread, name] : std::map<std::string, std::string>{
           {"5000011", "worker"}, {"5000012", "worker"}, {"5000013", "spin\x1b"}, {"5000014", "short"}}) {
    std::filesystem::create_directories(folder.path() / thread);
    std::ofstream(folder.path() / thread / "comm") << name << "\n";
  }
  const ThreadTimes before = {{"5000011", {1000, 0}}, {"5000013", {5, 0}}};
  const ThreadTimes now = {{"5000011", {1300, 0}},
                           {"5000012", {200, 0}},
                           {"5000013", {6005, 0}},
                           {"5000014", {60, 0}},
                           {"5000015", {900, 0}}};
  EXPECT_EQ(background_threads(before, now, folder.path().string()),
            (std::map<std::string, std::int64_t>{{"spin?", 6000}, {"worker", 500}}));
}

TEST(ThreadScheduling, ReadsEveryThread) {
  const TemporaryFolder folder;
  for (const char* thread : {"11", "12"}) {
    std::filesystem::create_directories(folder.path() / thread);
    std::ofstream(folder.path() / thread / "schedstat") << "123 45 6\n";
  }
  const ThreadTimes times = read_thread_times(folder.path().string());
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times.at("12").run_ns, 123);
  EXPECT_EQ(times.at("12").wait_ns, 45);
  EXPECT_TRUE(read_thread_times((folder.path() / "none").string()).empty());
}

}  // namespace
}  // namespace stepgate

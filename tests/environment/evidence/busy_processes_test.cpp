#include "environment/evidence/busy_processes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// One process of /proc.
struct StatLine {
  int pid = 0;
  std::string name = "busy";
  int parent = 1;
  int user_ticks = 0;
  int started = 7;
  int cpu = 0;
};

class BusyProcesses : public testing::Test {
 protected:
  void process(const StatLine& line) const {
    root_.write(fmt::format("proc/{}/stat", line.pid),
                fmt::format("{} ({}) R {} 1 1 0 -1 4194304 1 0 0 0 {} 3 0 0 20 0 1 0 {} 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 "
                            "17 {} 0 0 0 0 0",
                            line.pid, line.name, line.parent, line.user_ticks, line.started, line.cpu));
  }
  ProcessTimes read() const { return read_process_times(root_.path()); }
  std::vector<BusyProcess> busiest(const ProcessTimes& before) const {
    return busiest_processes(before, read(), {.wall_s = 2, .ticks_per_second = 100}, {.cpus = {1}, .self = 50});
  }
  std::vector<std::string> texts(const ProcessTimes& before) const {
    std::vector<std::string> all;
    for (const BusyProcess& busy : busiest(before)) all.push_back(text_of(busy));
    return all;
  }
  FakeRoot root_;
};

TEST_F(BusyProcesses, NamesWhoUsedTheCpuBetweenTwoReadings) {
  process({.pid = 4711, .name = "cc1plus", .user_ticks = 1000, .cpu = 1});
  process({.pid = 12, .name = "sshd", .user_ticks = 90'000});
  const ProcessTimes before = read();
  process({.pid = 4711, .name = "cc1plus", .user_ticks = 1172, .cpu = 1});
  EXPECT_THAT(texts(before), ElementsAre("cc1plus (pid 4711): 86 % of a CPU, last on CPU 1"));
}

TEST_F(BusyProcesses, TheMeasuredCpusComeFirst) {
  process({.pid = 1, .user_ticks = 0, .cpu = 0});
  process({.pid = 2, .user_ticks = 0, .cpu = 1});
  const ProcessTimes before = read();
  process({.pid = 1, .user_ticks = 200, .cpu = 0});
  process({.pid = 2, .user_ticks = 20, .cpu = 1});
  const auto found = busiest(before);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pid, 2);
  EXPECT_TRUE(found[0].on_measured);
  EXPECT_FALSE(found[1].on_measured);
}

TEST_F(BusyProcesses, ANewProcessCountsFromItsStart) {
  process({.pid = 9, .name = "old", .user_ticks = 5000, .started = 1});
  const ProcessTimes before = read();
  process({.pid = 9, .name = "new", .user_ticks = 97, .started = 800});
  process({.pid = 10, .name = "newer", .user_ticks = 47, .started = 810});
  EXPECT_THAT(texts(before),
              ElementsAre("new (pid 9): 50 % of a CPU, last on CPU 0", "newer (pid 10): 25 % of a CPU, last on CPU 0"));
}

TEST_F(BusyProcesses, LeavesOutTheLauncherAndWhatItStarted) {
  process({.pid = 50, .name = "stepgate", .user_ticks = 500});
  process({.pid = 51, .name = "watchdog", .parent = 50, .user_ticks = 500});
  EXPECT_THAT(busiest({}), IsEmpty());
}

TEST_F(BusyProcesses, AtMostThree) {
  for (int pid = 1; pid <= 5; ++pid) process({.pid = pid, .user_ticks = 100 * pid});
  const auto found = busiest({});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.front().pid, 5);
}

TEST_F(BusyProcesses, ANameCannotAddressTheTerminal) {
  process({.pid = 3, .name = "a) \x1b[2J\n(b", .user_ticks = 197});
  EXPECT_THAT(texts({}), ElementsAre("a) ?[2J?(b (pid 3): 100 % of a CPU, last on CPU 0"));
}

TEST_F(BusyProcesses, DamagedFilesAreSkipped) {
  root_.write("proc/1/stat", "");
  root_.write("proc/2/stat", "2 (short) R 1");
  root_.write("proc/3/stat", "3 no name");
  root_.write("proc/self/stat", "3 (x) R");
  EXPECT_THAT(read(), IsEmpty());
}

TEST(ReadProcessTimes, SeesThisProcess) {
  const ProcessTimes times = read_process_times("/");
  ASSERT_TRUE(times.contains(::getpid()));
  EXPECT_EQ(times.at(::getpid()).parent, ::getppid());
}

}  // namespace
}  // namespace stepgate

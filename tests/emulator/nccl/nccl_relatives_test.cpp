#include "emulator/nccl/nccl_relatives.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace stepgate::emulator {
namespace {

using std::chrono::milliseconds;

constexpr int launching = 10;
constexpr int training = 20;

std::vector<ProcessRow> on_host(std::vector<ProcessRow> others) {
  others.push_back({launching, 1, "launcher"});
  others.push_back({training, launching, "train"});
  return others;
}

std::set<int> pid_set(const std::vector<ProcessRow>& rows) {
  std::set<int> pids;
  for (const ProcessRow& row : rows) pids.insert(row.pid);
  return pids;
}

TEST(NcclRelatives, AreChildrenOfOneParentWithTheSameProgram) {
  const auto all = on_host({{21, launching, "train"}, {22, launching, "other"}, {23, 21, "train"}, {24, 1, "train"}});
  EXPECT_EQ(pid_set(relatives_of(training, all)), std::set<int>{21});
}

TEST(NcclRelatives, AreTheOwnChildrenWhereThereAreSome) {
  const auto all = on_host({{21, launching, "train"}, {30, training, "train"}, {31, training, "sh"}});
  EXPECT_EQ(pid_set(relatives_of(training, all)), std::set<int>{30});
}

TEST(NcclRelatives, AProcessWithoutAParentHasNoOthers) {
  EXPECT_TRUE(relatives_of(20, {{20, 1, "train"}, {21, 1, "train"}}).empty());
}

TEST(NcclRelatives, AreTooFewTwoSecondsAfterOneEnded) {
  NcclRelatives watched(training);
  const NcclRelatives::Clock::time_point start{};
  const auto both = on_host({{21, launching, "train"}, {22, launching, "train"}});
  const auto one = on_host({{21, launching, "train"}});
  EXPECT_FALSE(watched.are_too_few(2, {}, both, start));
  EXPECT_FALSE(watched.are_too_few(2, {}, one, start + milliseconds(500)));
  EXPECT_FALSE(watched.are_too_few(2, {}, one, start + milliseconds(2400)));
  EXPECT_TRUE(watched.are_too_few(2, {}, one, start + milliseconds(2500)));
}

TEST(NcclRelatives, OneThatEndedAndWasNotWaitedForCountsAtOnce) {
  NcclRelatives watched(training);
  const NcclRelatives::Clock::time_point start{};
  const auto ended = on_host({{21, launching, "train", true}});
  EXPECT_FALSE(watched.are_too_few(1, {}, ended, start));
  EXPECT_TRUE(watched.are_too_few(1, {}, ended, start + milliseconds(2000)));
}

TEST(NcclRelatives, ThoseThatDidNotStartYetAreWaitedFor) {
  NcclRelatives watched(training);
  const NcclRelatives::Clock::time_point start{};
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({}), start));
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({}), start + std::chrono::minutes(1)));
}

TEST(NcclRelatives, OneThatIsStartedAgainIsEnough) {
  NcclRelatives watched(training);
  const NcclRelatives::Clock::time_point start{};
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({{21, launching, "train"}}), start));
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({}), start + milliseconds(500)));
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({{22, launching, "train"}}), start + milliseconds(1000)));
  EXPECT_FALSE(watched.are_too_few(1, {}, on_host({{22, launching, "train"}}), start + milliseconds(9000)));
}

TEST(NcclRelatives, OneThatHasComeIsNotMissed) {
  NcclRelatives watched(training);
  const NcclRelatives::Clock::time_point start{};
  const auto both = on_host({{21, launching, "train"}, {22, launching, "train"}});
  EXPECT_FALSE(watched.are_too_few(2, {}, both, start));
  EXPECT_FALSE(watched.are_too_few(1, {21}, both, start + milliseconds(500)));
  EXPECT_FALSE(watched.are_too_few(1, {21}, both, start + milliseconds(9000)));
}

TEST(NcclRelatives, TheKernelTellsWhoHasEnded) {
  EXPECT_FALSE(has_ended(::getpid()));
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_FALSE(has_ended(child));
  EXPECT_EQ(pid_set(relatives_of(::getpid(), running_processes())).count(child), 1U);
  ::kill(child, SIGKILL);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  EXPECT_TRUE(has_ended(child)) << "nobody has waited for it";
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(has_ended(child));
}

}  // namespace
}  // namespace stepgate::emulator

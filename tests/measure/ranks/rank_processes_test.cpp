#include "measure/ranks/rank_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "core/error.h"
#include "measure/ranks/rank_share.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using namespace std::chrono_literals;

/// Runs shell scripts as ranks and returns the lines that they printed: "rank: line".
struct Scripts {
  RankProcesses request;
  std::vector<std::string> said;

  explicit Scripts(const std::vector<std::string>& scripts) {
    for (const std::string& script : scripts) request.commands.push_back({"/bin/bash", "-c", script, "rank"});
    request.on_line = [this](std::int64_t rank, std::string_view line) {
      said.push_back(std::to_string(rank) + ": " + std::string(line));
    };
    request.grace = 300ms;
  }
  RanksEnd run() { return run_ranks(request); }
};

bool is_alive(const std::string& pid) { return !pid.empty() && kill(static_cast<pid_t>(std::stol(pid)), 0) == 0; }

TEST(RankProcesses, PassOnTheOutputOfEachRank) {
  Scripts ranks({"echo one; printf two", "echo three >&2"});
  const RanksEnd end = ranks.run();
  EXPECT_FALSE(end.failure.has_value());
  EXPECT_THAT(ranks.said, UnorderedElementsAre("0: one", "0: two", "1: three"));
}

TEST(RankProcesses, PassOnALineWithoutEndInPieces) {
  Scripts ranks({"head -c 1000000 /dev/zero | tr '\\0' x; echo; echo end"});
  ranks.run();
  ASSERT_GT(ranks.said.size(), 10U);
  for (const std::string& line : ranks.said) EXPECT_LE(line.size(), 65539U);
  EXPECT_EQ(ranks.said.back(), "0: end");
}

TEST(RankProcesses, ConnectRankZeroWithEachOther) {
  // Each other rank writes into its wire; rank 0 reads its wires in the order of the ranks.
  const std::string wire = "n=${1#--stepgate_rank_sockets=}; ";
  Scripts ranks({wire + "for w in $(echo $n | tr , ' '); do eval \"head -c 3 <&$w\"; echo; done",
                 wire + "eval \"printf one >&$n\"", wire + "eval \"printf two >&$n\""});
  ASSERT_FALSE(ranks.run().failure.has_value());
  EXPECT_THAT(ranks.said, ElementsAre("0: one", "0: two"));
}

TEST(RankProcesses, PinEachRankToItsCpus) {
  const std::vector<int> all = inherited_cpus();
  Scripts ranks({"grep Cpus_allowed_list /proc/self/status | cut -f2", "exit 0"});
  ranks.request.cpus = {{all.back()}, all};
  ranks.run();
  EXPECT_THAT(ranks.said, ElementsAre("0: " + std::to_string(all.back())));
}

TEST(RankProcesses, NameTheRankThatFailedFirst) {
  // Rank 0 fails because its wire to rank 1 broke, and the launcher may see both exits at once.
  const std::string wire = "n=${1#--stepgate_rank_sockets=}; ";
  const std::string alarm = "a=${2#--stepgate_rank_alarm=}; ";
  Scripts ranks(
      {wire + alarm + "eval \"head -c 1 <&$n\"; eval \"echo 0 >&$a\"; exit 3", alarm + "eval \"echo 1 >&$a\"; exit 7"});
  ranks.request.grace = 60s;
  const RanksEnd end = ranks.run();
  ASSERT_TRUE(end.failure.has_value());
  EXPECT_EQ(text_of(*end.failure, 2), "rank 1 of 2 failed with status 7");
}

TEST(RankProcesses, NameACrashRatherThanWhatItCaused) {
  // Rank 1 crashes only after rank 0 has ended, so its exit comes last.
  Scripts ranks({"a=${2#--stepgate_rank_alarm=}; eval \"echo 0 >&$a\"; exit 1",
                 "n=${1#--stepgate_rank_sockets=}; eval \"head -c 1 <&$n\"; kill -SEGV $$"});
  ranks.request.grace = 60s;
  const RanksEnd end = ranks.run();
  ASSERT_TRUE(end.failure.has_value());
  EXPECT_EQ(text_of(*end.failure, 2), "rank 1 of 2 was killed by signal 11 (SIGSEGV)");
  RankFailure placed = *end.failure;
  placed.place = "in pass counts, boundary forward, step 2";
  EXPECT_EQ(text_of(placed, 2),
            "rank 1 of 2 was killed by signal 11 (SIGSEGV) in pass counts, boundary forward, step 2");
}

TEST(RankProcesses, StopTheOthersAfterAFailure) {
  const std::string wire = "n=${1#--stepgate_rank_sockets=}; ";
  Scripts ranks({wire + "echo $$; eval \"printf x >&${n%,*}\"; exec sleep 1000",
                 wire + "eval \"head -c 1 <&$n >/dev/null\"; exit 1", "exec sleep 1000"});
  const RanksEnd end = ranks.run();
  ASSERT_TRUE(end.failure.has_value());
  EXPECT_EQ(text_of(*end.failure, 3), "rank 1 of 3 failed with status 1; still running and stopped: 0, 2");
  ASSERT_EQ(ranks.said.size(), 1U);
  EXPECT_FALSE(is_alive(ranks.said[0].substr(3)));
}

TEST(RankProcesses, EndWithTheSignalThatEndsThisProcess) {
  Scripts ranks({"echo $$; kill -TERM $PPID; exec sleep 1000", "exec sleep 1000"});
  const RanksEnd end = ranks.run();
  EXPECT_EQ(end.interrupted_by, SIGTERM);
  EXPECT_FALSE(end.failure.has_value());
  ASSERT_EQ(ranks.said.size(), 1U);
  EXPECT_FALSE(is_alive(ranks.said[0].substr(3)));
}

TEST(RankProcesses, LeaveASignalIgnoredThatAParentIgnores) {
  // As under nohup. The first rank outlives the signal and ends by itself.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGHUP, &ignore, &before), 0);
  Scripts ranks({"kill -HUP $PPID; echo still here"});
  const RanksEnd end = ranks.run();
  sigaction(SIGHUP, &before, nullptr);
  EXPECT_EQ(end.interrupted_by, 0);
  EXPECT_THAT(ranks.said, ElementsAre("0: still here"));
}

TEST(RankProcesses, DieWithAProcessThatIsKilled) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pid").string();
  const pid_t keeper = fork();
  if (keeper == 0) {
    Scripts ranks({"echo $$ > " + file + ".new; mv " + file + ".new " + file + "; exec sleep 1000"});
    ranks.run();
    _exit(0);
  }
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(5ms);
  kill(keeper, SIGKILL);
  waitpid(keeper, nullptr, 0);
  const std::string pid = text_of(std::filesystem::path(file));
  // init reaps orphans at some later time, so a missing process and a zombie both count as dead.
  const auto running = [&] {
    return text_of("/proc/" + std::to_string(std::stol(pid)) + "/cmdline").find("sleep") != std::string::npos;
  };
  for (int i = 0; i < 2000 && running(); ++i) std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(running());
}

TEST(RankProcesses, SayWhatCannotBeStarted) {
  Scripts ranks({});
  ranks.request.commands = {{"/nonexistent/program"}};
  EXPECT_THAT([&] { ranks.run(); }, testing::ThrowsMessage<Error>(testing::HasSubstr(
                                        "cannot execute /nonexistent/program: No such file or directory")));
  EXPECT_THAT(ranks.said, IsEmpty());
}

TEST(RankProcesses, GetVariablesOnTopOfTheEnvironment) {
  ASSERT_EQ(setenv("STEPGATE_RANK_TEST", "old", 1), 0);
  ASSERT_EQ(setenv("STEPGATE_RANK_OTHER", "kept", 1), 0);
  Scripts ranks({"echo \"$STEPGATE_RANK_TEST $STEPGATE_RANK_OTHER\"", "echo \"$STEPGATE_RANK_TEST $STEPGATE_RANK\""});
  ranks.request.variables = {"STEPGATE_RANK_TEST=new value"};
  ranks.run();
  unsetenv("STEPGATE_RANK_TEST");
  unsetenv("STEPGATE_RANK_OTHER");
  EXPECT_THAT(ranks.said, UnorderedElementsAre("0: new value kept", "1: new value 1"));
}

}  // namespace
}  // namespace stepgate

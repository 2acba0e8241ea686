#include "system/command_output.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "support/temporary_folder.h"
#include "system/elapsed.h"
#include "system/stop_signal.h"

namespace stepgate {
namespace {

/// Far more than any of these takes on a busy machine, and less than the commands would.
constexpr double patience_s = 20;

bool becomes_true(const std::function<bool()>& is_true) {
  for (const auto start = std::chrono::steady_clock::now(); seconds_since(start) < patience_s;) {
    if (is_true()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// A command whose child writes its number into a file and would live for five minutes.
class CommandWithAChild : public testing::Test {
 protected:
  std::string script(const std::string& end) const { return "sleep 300 & echo $! >" + file().string() + "; " + end; }

  std::filesystem::path file() const { return folder_.path() / "child"; }
  pid_t child() const { return std::atoi(text_of(file()).c_str()); }
  /// Whether or not somebody has waited for it.
  bool child_is_dead() const {
    if (child() <= 0) return false;
    const std::string stat = text_of(std::filesystem::path("/proc") / std::to_string(child()) / "stat");
    return stat.empty() || stat.find(") Z ") != std::string::npos;
  }

  ~CommandWithAChild() override {
    if (child() > 0) ::kill(child(), SIGKILL);
  }

  TemporaryFolder folder_;
};

TEST(CommandOutput, IsWhatTheCommandPrints) {
  EXPECT_EQ(command_output({"printf", "%s\\n%s", "one two", "it's"}), "one two\nit's");
}

TEST(CommandOutput, LeavesErrorsOut) { EXPECT_EQ(command_output({"sh", "-c", "echo out; echo err >&2"}), "out\n"); }

TEST(CommandOutput, HoldsMoreThanAPipeDoes) {
  EXPECT_EQ(command_output({"head", "-c", "300000", "/dev/zero"}).size(), 300000U);
}

TEST(CommandOutput, IsEmptyWhereTheCommandIsMissing) { EXPECT_EQ(command_output({"no-such-command-here"}), ""); }

// As a file system monitor that git starts, and jobs that an engine starts.
TEST(CommandOutput, DoesNotWaitForWhatTheCommandLeavesBehind) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(command_output({"sh", "-c", "sleep 20 & echo done"}), "done\n");
  EXPECT_LT(seconds_since(start), 10);
}

TEST(CommandOutput, ReadsAMebibyteAtMost) {
  EXPECT_LT(command_output({"sh", "-c", "yes | head -c 100000000"}).size(), 1'100'000U);
}

TEST(CommandOutput, HasTheStatusOfACommandThatEndedByItself) {
  EXPECT_EQ(run_command({"true"}, {}).status, 0);
  EXPECT_EQ(run_command({"sh", "-c", "exit 3"}, {}).status, 3);
  EXPECT_FALSE(run_command({"sh", "-c", "kill -9 $$"}, {}).status);
  EXPECT_FALSE(run_command({"yes"}, {.most_bytes = 100}).status);
}

TEST(CommandOutput, TakesNoMoreMemoryThanItMay) {
  const std::vector<std::string> greedy = {"dd", "if=/dev/zero", "of=/dev/null", "bs=256M", "count=1"};
  EXPECT_EQ(run_command(greedy, {}).status, 0);
  EXPECT_NE(run_command(greedy, {.most_memory_bytes = std::size_t{128} << 20U}).status, 0);
}

TEST(CommandOutput, ReadsNothingOfTheCallersInput) { EXPECT_EQ(run_command({"cat"}, {}).status, 0); }

TEST_F(CommandWithAChild, DiesWithItAtTheTimeLimit) {
  const CommandEnd end = run_command({"sh", "-c", script("echo first; wait")}, {.patience_s = 0.5});
  EXPECT_FALSE(end.status);
  EXPECT_EQ(end.printed, "first\n");
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
}

/// As a program of an engine that starts ssh.
TEST_F(CommandWithAChild, DiesWithItInASessionOfItsOwn) {
  const std::string apart = "setsid sleep 300 & echo $! >" + file().string() + "; wait";
  EXPECT_FALSE(run_command({"sh", "-c", apart}, {.patience_s = 0.5}).status);
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
}

TEST_F(CommandWithAChild, DiesWithItAtTheLimitOfItsOutput) {
  EXPECT_FALSE(run_command({"sh", "-c", script("yes")}, {}).status);
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
}

TEST_F(CommandWithAChild, DiesWithItWhereItClosesItsOutputAndDoesNotEnd) {
  const std::string closed = "exec >&-; sleep 300 & echo $! >" + file().string() + "; wait";
  EXPECT_FALSE(run_command({"sh", "-c", closed}, {}).status);
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
}

TEST_F(CommandWithAChild, DiesWithItOnASignal) {
  stop_signal() = 0;
  std::thread later([&] {
    becomes_true([&] { return child() > 0; });
    stop_signal() = SIGTERM;
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(run_command({"sh", "-c", script("wait")}, {.patience_s = 100}).status);
  later.join();
  EXPECT_LT(seconds_since(start), 2 * patience_s);
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
  EXPECT_EQ(command_output({"echo", "after"}), "after\n") << "what begins after the signal runs";
  stop_signal() = 0;
}

TEST(CommandOutput, EndsOnNoSignalWhereItMustBeFinished) {
  stop_signal() = 0;
  std::thread later([] { stop_signal() = SIGTERM; });
  EXPECT_EQ(run_command({"sh", "-c", "sleep 0.3; echo job 7"}, {.ends_on_signal = false}).printed, "job 7\n");
  later.join();
  stop_signal() = 0;
}

/// It can do nothing more: only the kernel can.
TEST_F(CommandWithAChild, DiesWithACallerThatIsKilled) {
  const pid_t caller = ::fork();
  if (caller == 0) {
    command_output({"sh", "-c", "echo $$ >" + file().string() + "; exec sleep 300"});
    ::_exit(0);
  }
  ASSERT_TRUE(becomes_true([&] { return child() > 0; }));
  EXPECT_FALSE(child_is_dead());
  ::kill(caller, SIGKILL);
  ASSERT_EQ(::waitpid(caller, nullptr, 0), caller);
  EXPECT_TRUE(becomes_true([&] { return child_is_dead(); }));
}

}  // namespace
}  // namespace stepgate

#include "launch/process/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "core/error.h"
#include "support/fake_program.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

class ChildProcess : public testing::Test {
 protected:
  ~ChildProcess() override {
    // No test may leave a child, not even a zombie.
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  ProcessRequest shell(const std::string& code) const {
    return {.command = {"/bin/sh", "-c", code},
            .environment = {{"PATH", "/usr/bin:/bin"}},
            .knobs = {},
            .output = folder_.path() / "output",
            .timeout_s = 20,
            .interrupted = nullptr};
  }

  std::string output() const { return read_pseudo_file(folder_.path() / "output").value_or("?"); }
  pid_t number_in(const std::string& file) const {
    return static_cast<pid_t>(read_pseudo_number(folder_.path() / file).value_or(0));
  }

  FakeRoot folder_;
};

TEST_F(ChildProcess, TellsExitStatusAndOutput) {
  const ProcessResult result = run_process(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.end, ProcessEnd::exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(output(), "out\nerr");
  EXPECT_GT(result.wall_s, 0);
}

TEST_F(ChildProcess, TellsTheSignalOfACrash) {
  const ProcessResult result = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, ProcessEnd::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST_F(ChildProcess, RunsOnTheGivenCpus) {
  const CpuList home = allowed_cpus();
  ProcessRequest request = shell("grep Cpus_allowed_list: /proc/self/status");
  request.knobs.cpus = {home.back()};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(value_after(output(), "Cpus_allowed_list"), text_of(request.knobs.cpus));
  EXPECT_EQ(result.exited.affinity, request.knobs.cpus) << "as read from the finished process";
  EXPECT_EQ(allowed_cpus(), home) << "the launcher itself must not move";
}

TEST_F(ChildProcess, RunsUnpinnedWhereTheCpusAreRefused) {
  ProcessRequest request = shell("echo ran");
  request.knobs.cpus = {60000};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, ProcessEnd::exited);
  EXPECT_EQ(output(), "ran");
  const auto reports = process_knob_reports(request.knobs, result.knobs);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports.front().state, KnobState::denied);
  EXPECT_EQ(reports.front().error, EINVAL);
}

TEST_F(ChildProcess, SeesTheGivenEnvironmentAndNothingElse) {
  ProcessRequest request = shell("");
  request.command = {"/usr/bin/env"};
  request.environment = {{"A", "1"}, {"B", "x y=z"}};
  run_process(request);
  EXPECT_EQ(output(), "A=1\nB=x y=z");
}

TEST_F(ChildProcess, HasNoInputAndNoFilesOfTheLaunchers) {
  const int leaky = ::fcntl(1, F_DUPFD, 77);  // without close-on-exec, as a careless library would
  ASSERT_GE(leaky, 77);
  run_process(shell("cat; test -e /proc/self/fd/1 && echo out; test -e /proc/self/fd/" + std::to_string(leaky) +
                    " && echo leaked"));
  ::close(leaky);
  EXPECT_EQ(output(), "out");
}

TEST_F(ChildProcess, StartsWithoutBlockedOrIgnoredSignals) {
  ASSERT_NE(::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  ProcessRequest request = shell("");
  request.command = {"/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"};
  run_process(request);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(value_after(output(), "SigBlk"), "0000000000000000");
  EXPECT_EQ(value_after(output(), "SigIgn"), "0000000000000000");
}

TEST_F(ChildProcess, SaysWhatIsWrongWithAProgram) {
  ProcessRequest request = shell("");
  request.command = {(folder_.path() / "missing").string()};
  EXPECT_EQ(run_process(request).code, ENOENT);
  folder_.write("plain", "echo");
  request.command = {(folder_.path() / "plain").string()};
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, ProcessEnd::not_started);
  EXPECT_EQ(result.code, EACCES);
  ASSERT_TRUE(result.start_failure);
  EXPECT_EQ(text_of(*result.start_failure), "cannot execute " + request.command[0] + ": Permission denied");
}

TEST_F(ChildProcess, ThrowsWhereTheOutputCannotBeWritten) {
  ProcessRequest request = shell("true");
  request.output = folder_.path() / "no/such/folder";
  EXPECT_THROW(run_process(request), Error);
}

TEST_F(ChildProcess, StopsWhatTakesTooLong) {
  ProcessRequest request = shell("exec sleep 60");
  request.timeout_s = 0.1;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, ProcessEnd::timed_out);
  EXPECT_FALSE(result.killed);
}

TEST_F(ChildProcess, KillsWhatIgnoresTheRequestToStop) {
  ProcessRequest request =
      shell("trap '' TERM; echo $$ > " + (folder_.path() / "pid").string() + "; while :; do sleep 0.05; done");
  request.timeout_s = 0.3;
  const ProcessResult result = run_process(request);
  EXPECT_EQ(result.end, ProcessEnd::timed_out);
  EXPECT_TRUE(result.killed);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
}

TEST_F(ChildProcess, LeavesNoGrandchildBehind) {
  const std::string file = (folder_.path() / "pid").string();
  const ProcessResult result = run_process(shell("(trap '' TERM HUP; exec sleep 60) & echo $! > " + file));
  EXPECT_EQ(result.end, ProcessEnd::exited);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
}

// What a server does that its program starts: a session of its own, and no parent.
TEST_F(ChildProcess, EndsWhatHidInASessionOfItsOwn) {
  const std::string file = (folder_.path() / "pid").string();
  const ProcessResult result =
      run_process(shell("setsid sh -c 'trap \"\" TERM HUP; echo $$ > " + file + "; sleep 60; true' & while ! test -s " +
                        file + "; do sleep 0.01; done"));
  EXPECT_EQ(result.end, ProcessEnd::exited);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
  EXPECT_THAT(output(), HasSubstr("[stepgate: ended 2 processes that it left behind: "));
}

TEST_F(ChildProcess, CountsTheCpuTimeOfWhatHidInASessionOfItsOwn) {
  const std::string file = (folder_.path() / "pid").string();
  const ProcessResult result =
      run_process(shell("(setsid sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo $$ > " + file +
                        "; exec sleep 60' &); while ! test -s " + file + "; do sleep 0.01; done"));
  EXPECT_EQ(result.end, ProcessEnd::exited);
  EXPECT_GT(result.left_behind_cpu_s, 0.01);
  EXPECT_EQ(run_process(shell("true")).left_behind_cpu_s, 0);
}

TEST_F(ChildProcess, EndsDaemonsOfATimedOutChild) {
  const std::string file = (folder_.path() / "pid").string();
  ProcessRequest request = shell("(setsid sh -c 'echo $$ > " + file + "; exec sleep 60' &); exec sleep 60");
  request.timeout_s = 0.5;
  EXPECT_EQ(run_process(request).end, ProcessEnd::timed_out);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
}

TEST_F(ChildProcess, LeavesOtherChildrenOfTheLauncherAlone) {
  const pid_t other = ::fork();
  if (other == 0) {
    ::sleep(60);
    ::_exit(0);
  }
  const ProcessResult result = run_process(shell("setsid sleep 60 & true"));
  EXPECT_EQ(::waitpid(other, nullptr, WNOHANG), 0) << "it must still run, and its status is not taken";
  ::kill(other, SIGKILL);
  EXPECT_EQ(::waitpid(other, nullptr, 0), other);
}

TEST_F(ChildProcess, StoresHeadAndTailOfALongOutput) {
  const ProcessResult result =
      run_process(shell("echo first; yes 0123456789abcdef | head -c 200000000; echo; echo last"));
  EXPECT_EQ(result.end, ProcessEnd::exited);
  EXPECT_LT(std::filesystem::file_size(folder_.path() / "output"), 1'100'000U);
  EXPECT_THAT(result.printed, testing::StartsWith("first\n0123456789abcdef"));
  EXPECT_THAT(result.printed, testing::EndsWith("\nlast\n"));
  // About: what the process writes between the reading and the removal of a piece is not counted.
  EXPECT_THAT(result.printed, testing::ContainsRegex("\n.stepgate: about 1[0-9]{8} bytes are left out"));
  EXPECT_EQ(output() + "\n", result.printed);
}

TEST_F(ChildProcess, KeepsAShortOutputAsItIs) {
  EXPECT_EQ(run_process(shell("printf 'a\\001b'")).printed, "a\001b");
  EXPECT_EQ(output(), "a\001b");
}

TEST_F(ChildProcess, NeverWritesOutputThroughALink) {
  folder_.write("victim", "precious");
  std::filesystem::create_symlink(folder_.path() / "victim", folder_.path() / "output");
  run_process(shell("echo printed; rm " + (folder_.path() / "output").string() + "; ln -s " +
                    (folder_.path() / "victim").string() + " " + (folder_.path() / "output").string() +
                    "; yes | head -c 3000000"));
  EXPECT_EQ(read_pseudo_file(folder_.path() / "victim"), "precious");
}

TEST_F(ChildProcess, NeverWaitsForAFifoInTheOutputsPlace) {
  ASSERT_EQ(::mkfifo((folder_.path() / "output").c_str(), 0600), 0);
  EXPECT_EQ(run_process(shell("echo printed")).printed, "printed\n");
}

TEST_F(ChildProcess, HidesSecretsInTheOutput) {
  ProcessRequest request = shell("echo token ghs_0123456789; yes ghs_0123456789 | head -c 3000000");
  request.secrets = SecretMask(Variables{{"GITHUB_TOKEN", "ghs_0123456789"}});
  const ProcessResult result = run_process(request);
  EXPECT_THAT(result.printed, testing::StartsWith("token [GITHUB_TOKEN]\n"));
  EXPECT_THAT(output(), Not(HasSubstr("ghs_0")));
  EXPECT_THAT(output(), Not(HasSubstr("0123456789")));
}

TEST_F(ChildProcess, StopsGrandchildrenWithATimedOutChild) {
  const std::string file = (folder_.path() / "pid").string();
  ProcessRequest request = shell("sleep 60 & echo $! > " + file + "; wait");
  request.timeout_s = 0.3;
  EXPECT_EQ(run_process(request).end, ProcessEnd::timed_out);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
}

TEST_F(ChildProcess, StopsWhenInterrupted) {
  std::atomic<int> interrupted{0};
  ProcessRequest request = shell("exec sleep 60");
  request.interrupted = &interrupted;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    interrupted = SIGINT;
  });
  const ProcessResult result = run_process(request);
  user.join();
  EXPECT_EQ(result.end, ProcessEnd::interrupted);
}

TEST_F(ChildProcess, DiesWithItsLauncher) {
  const std::string file = (folder_.path() / "pid").string();
  const pid_t launcher = ::fork();
  if (launcher == 0) {
    run_process(shell("echo $$ > " + file + "; exec sleep 60"));
    ::_exit(0);
  }
  for (int attempt = 0; attempt < 500 && number_in("pid") == 0; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(launcher, SIGKILL);
  ::waitpid(launcher, nullptr, 0);
  ASSERT_GT(number_in("pid"), 0);
  EXPECT_TRUE(is_gone(number_in("pid")));
}

TEST_F(ChildProcess, ReportsWhatTheKernelCounted) {
  const ProcessResult result = run_process(shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"));
  const ChildUsage usage = child_usage(result.usage, result.wall_s, result.exited);
  EXPECT_GT(usage.cpu_s, 0);
  EXPECT_GT(usage.counts.at(EvidenceKey::minor_faults), 0);
  EXPECT_TRUE(usage.exited.affinity);
}

}  // namespace
}  // namespace stepgate

#include "system/start_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "core/error.h"
#include "support/temporary_folder.h"
#include "system/descriptor.h"
#include "system/shared_value.h"

namespace stepgate {
namespace {

class StartProcess : public testing::Test {
 protected:
  ~StartProcess() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a test left a child";
    EXPECT_EQ(errno, ECHILD);
  }

  ProcessStart shell(const std::string& code) const { return {.command = {"/bin/sh", "-c", code}}; }

  /// The output of the program until its end.
  std::string output_of(ProcessStart start) const {
    const auto file = folder_.path() / "output";
    const Descriptor output(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    start.descriptors.push_back({output.number(), STDOUT_FILENO});
    const StartedProcess started = start_process(start);
    EXPECT_FALSE(started.failure) << text_of(*started.failure);
    int status = -1;
    EXPECT_EQ(::waitpid(started.pid, &status, 0), started.pid);
    EXPECT_EQ(status, 0);
    return text_of(file);
  }

  TemporaryFolder folder_;
};

TEST_F(StartProcess, NamesTheProgramThatIsMissing) {
  const auto missing = folder_.path() / "missing";
  const StartedProcess started = start_process({.command = {missing.string()}});
  EXPECT_EQ(started.pid, 0);
  ASSERT_TRUE(started.failure);
  EXPECT_EQ(started.failure->path, missing);
  EXPECT_EQ(started.failure->error, ENOENT);
  EXPECT_EQ(text_of(*started.failure), "cannot execute " + missing.string() + ": No such file or directory");
}

TEST_F(StartProcess, NamesTheProgramThatMayNotBeExecuted) {
  const auto plain = folder_.write("plain", "echo");
  const StartedProcess started = start_process({.command = {plain.string()}});
  ASSERT_TRUE(started.failure);
  EXPECT_EQ(text_of(*started.failure), "cannot execute " + plain.string() + ": Permission denied");
}

TEST_F(StartProcess, NamesTheFolderThatIsMissing) {
  ProcessStart start = shell("true");
  start.folder = folder_.path() / "missing";
  const StartedProcess started = start_process(start);
  ASSERT_TRUE(started.failure);
  EXPECT_EQ(text_of(*started.failure),
            "cannot enter the folder " + start.folder.string() + ": No such file or directory");
}

TEST_F(StartProcess, RefusesADescriptorThatIsNotOpen) {
  ProcessStart start = shell("true");
  start.descriptors = {{9999, 3}};
  EXPECT_THROW(start_process(start), Error);
}

TEST_F(StartProcess, RunsInTheGivenFolder) {
  ProcessStart start = shell("pwd -P");
  start.folder = folder_.path();
  EXPECT_EQ(output_of(start), std::filesystem::canonical(folder_.path()).string() + "\n");
}

TEST_F(StartProcess, PassesTheGivenEnvironmentOnly) {
  ProcessStart start{.command = {"/usr/bin/env"}, .environment = std::vector<std::string>{"A=1", "B=x y=z"}};
  EXPECT_EQ(output_of(start), "A=1\nB=x y=z\n");
}

TEST_F(StartProcess, KeepsTheCallersEnvironmentWithoutAnother) {
  ASSERT_EQ(::setenv("STEPGATE_START_TEST", "kept", 1), 0);
  EXPECT_EQ(output_of(shell("echo $STEPGATE_START_TEST")), "kept\n");
  ::unsetenv("STEPGATE_START_TEST");
}

TEST_F(StartProcess, ClosesTheCallersDescriptors) {
  const Descriptor careless(::fcntl(STDOUT_FILENO, F_DUPFD, 77));  // stays open at exec
  ASSERT_TRUE(careless.is_open());
  EXPECT_EQ(output_of(shell("test -e /proc/self/fd/" + std::to_string(careless.number()) + " || echo closed")),
            "closed\n");
}

TEST_F(StartProcess, PassesDescriptorsUnderEachOthersNumbers) {
  const Descriptor first(::open(folder_.write("first", "1").c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor second(::open(folder_.write("second", "2").c_str(), O_RDONLY | O_CLOEXEC));
  // The shell reads descriptors of one digit only.
  const Descriptor at_8(::dup3(first.number(), 8, O_CLOEXEC));
  const Descriptor at_9(::dup3(second.number(), 9, O_CLOEXEC));
  ProcessStart start = shell("cat <&8; cat <&9");
  start.descriptors = {{8, 9}, {9, 8}};
  EXPECT_EQ(output_of(start), "21");
}

TEST_F(StartProcess, KeepsADescriptorUnderItsNumber) {
  const Descriptor file(::open(folder_.write("kept", "kept").c_str(), O_RDONLY | O_CLOEXEC));
  ProcessStart start = shell("cat /proc/self/fd/" + std::to_string(file.number()));
  start.descriptors = {{file.number(), file.number()}};
  EXPECT_EQ(output_of(start), "kept");
}

TEST_F(StartProcess, GivesAGroupOrASession) {
  // Fields 5 and 6 of stat: process group and session.
  const std::string code =
      "set -- $(cat /proc/$$/stat); test $$ = $5 && echo group; test $$ = $6 && echo session; true";
  ProcessStart start = shell(code);
  EXPECT_EQ(output_of(start), "");
  start.group = ProcessGroup::own;
  EXPECT_EQ(output_of(start), "group\n");
  start.group = ProcessGroup::own_session;
  EXPECT_EQ(output_of(start), "group\nsession\n");
}

TEST_F(StartProcess, SetsSignalsAsAsked) {
  ASSERT_NE(::signal(SIGHUP, SIG_IGN), SIG_ERR);
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  ProcessStart start{.command = {"/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"}};
  const std::string standard = output_of(start);
  start.ignored_signals = {SIGINT};
  const std::string one_ignored = output_of(start);
  start.keeps_ignored_signals = true;
  const std::string both_ignored = output_of(start);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(standard, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  EXPECT_EQ(one_ignored, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000002\n");
  EXPECT_EQ(both_ignored, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000003\n");
}

TEST_F(StartProcess, RunsTheCallbackInTheChild) {
  const SharedValue<pid_t> seen;
  ProcessStart start{.command = {"/bin/true"}, .before_exec = [&] { *seen = ::getpid(); }};
  const StartedProcess started = start_process(start);
  EXPECT_EQ(*seen, started.pid);
  ::waitpid(started.pid, nullptr, 0);
}

TEST_F(StartProcess, EndsTheProgramWithItsCallerWhereAsked) {
  const SharedValue<pid_t> program;
  const pid_t caller = ::fork();
  if (caller == 0) {
    *program = start_process({.command = {"/bin/sleep", "60"}, .dies_with_caller = true}).pid;
    ::_exit(0);
  }
  ::waitpid(caller, nullptr, 0);
  ASSERT_GT(*program, 0);
  const std::string command_line = "/proc/" + std::to_string(*program) + "/cmdline";
  for (int attempt = 0; attempt < 1000 && !text_of(std::filesystem::path(command_line)).empty(); ++attempt) {
    ::usleep(10'000);
  }
  EXPECT_EQ(text_of(std::filesystem::path(command_line)), "");  // gone, or a zombie that init has not reaped yet
}

}  // namespace
}  // namespace stepgate

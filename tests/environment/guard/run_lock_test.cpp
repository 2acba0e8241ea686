#include "environment/guard/run_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <thread>
#include <utility>

#include "core/error.h"
#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// flock belongs to the open file: a second acquire in this process is refused like one of another process.
std::optional<Error> refused(const RunLockRequest& request) {
  try {
    const RunLock lock = RunLock::acquire(request);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

TEST(RunLock, NamesItsHolder) {
  const FakeRoot root;
  const RunLock held = RunLock::acquire({root.path() / "lock", "stepgate gate --suite mine", 0});
  const auto error = refused({root.path() / "lock", "other", 0});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::measure);
  EXPECT_THAT(error->what(), HasSubstr("pid " + std::to_string(::getpid())));
  EXPECT_THAT(error->what(), testing::ContainsRegex("since 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:]+Z"));
  EXPECT_THAT(error->what(), HasSubstr("`stepgate gate --suite mine`"));
  EXPECT_THAT(error->remedy(), HasSubstr("stop pid"));
}

TEST(RunLock, IsFreeAgainAfterItsHolder) {
  const FakeRoot root;
  { const RunLock held = RunLock::acquire({root.path() / "lock", "a", 0}); }
  EXPECT_FALSE(refused({root.path() / "lock", "b", 0}));
}

TEST(RunLock, MovesWithItsOwner) {
  const FakeRoot root;
  std::optional<RunLock> outer;
  {
    RunLock inner = RunLock::acquire({root.path() / "lock", "a", 0});
    outer.emplace(std::move(inner));
  }
  EXPECT_TRUE(refused({root.path() / "lock", "b", 0}));
  outer.reset();
  EXPECT_FALSE(refused({root.path() / "lock", "b", 0}));
}

TEST(RunLock, WaitsAsLongAsTold) {
  const FakeRoot root;
  std::optional<RunLock> held = RunLock::acquire({root.path() / "lock", "a", 0});
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    held.reset();
  });
  const auto error = refused({root.path() / "lock", "b", 30});
  later.join();
  EXPECT_FALSE(error);
}

TEST(RunLock, TellsWhomItWaitsFor) {
  const FakeRoot root;
  std::optional<RunLock> held = RunLock::acquire({root.path() / "lock", "stepgate gate (3 cases)"});
  std::string told;
  const LockWait wait{.limit_s = 30, .on_held = [&](const LockHolder& holder) {
                        told = text_of(holder);
                        held.reset();
                      }};
  EXPECT_FALSE(refused({root.path() / "lock", "b", wait}));
  EXPECT_THAT(told, HasSubstr("pid " + std::to_string(::getpid())));
  EXPECT_THAT(told, HasSubstr("`stepgate gate (3 cases)`"));
}

TEST(RunLock, IsReleasedWhenItsHolderIsKilled) {
  const FakeRoot root;
  const auto path = root.path() / "lock";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const RunLock held = RunLock::acquire({path, "doomed", 0});
    static_cast<void>(::write(ready[1], "x", 1) < 0);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const auto while_alive = refused({path, "b", 0});
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
  ASSERT_TRUE(while_alive);
  EXPECT_THAT(while_alive->what(), HasSubstr("pid " + std::to_string(holder)));
  EXPECT_FALSE(refused({path, "b", 0}));
}

TEST(RunLock, RemovesALongerOldText) {
  const FakeRoot root;
  { const RunLock held = RunLock::acquire({root.path() / "lock", std::string(500, 'x'), 0}); }
  const RunLock held = RunLock::acquire({root.path() / "lock", "two\nlines", 0});
  const auto error = refused({root.path() / "lock", "b", 0});
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("`two lines`"));
  EXPECT_THAT(error->what(), testing::Not(HasSubstr("xxx")));
}

TEST(RunLock, SaysWhyItCannotBeOpened) {
  const FakeRoot root;
  const auto error = refused({root.path() / "no/such/folder/lock", "a", 0});
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("No such file"));
}

TEST(RunLock, DoesNotFollowASymbolicLink) {
  const FakeRoot root;
  root.write("precious", "keep me");
  std::filesystem::create_symlink(root.path() / "precious", root.path() / "lock");
  EXPECT_TRUE(refused({root.path() / "lock", "a", 0}));
}

}  // namespace
}  // namespace stepgate

#include "system/files/file_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "core/interruption.h"
#include "support/temporary_folder.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Each open file is a holder of its own, as of another process.
class FileLock : public testing::Test {
 protected:
  Descriptor opened() const {
    return Descriptor(::open((folder_.path() / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  }

  std::optional<Descriptor> held_by(const std::string& command) const {
    Descriptor lock = opened();
    EXPECT_TRUE(lock_file(lock, {}));
    name_holder(lock, command);
    return lock;
  }

  TemporaryFolder folder_;
};

TEST_F(FileLock, OfAnotherIsRefusedAtOnceWithoutAWait) {
  const auto held = held_by("first");
  const Descriptor second = opened();
  const bool locked = lock_file(second, {.on_held = [](const LockHolder&) { FAIL() << "nobody waits"; }});
  EXPECT_EQ(errno, EWOULDBLOCK);
  EXPECT_FALSE(locked);
}

TEST_F(FileLock, NamesItsHolder) {
  const auto held = held_by("two\nlines");
  const LockHolder holder = holder_of(opened());
  EXPECT_EQ(holder.pid, std::to_string(::getpid()));
  EXPECT_THAT(holder.since, testing::MatchesRegex("20[0-9-]+T[0-9:]+Z"));
  EXPECT_EQ(holder.command, "two lines");
  EXPECT_EQ(text_of(holder), "pid " + holder.pid + ", since " + holder.since + ", `two lines`");
}

TEST_F(FileLock, OfAHolderThatTheKernelDoesNotShowNamesNoProcess) {
  const LockHolder nobody = holder_of(opened());
  EXPECT_EQ(nobody.pid, "");
  EXPECT_THAT(text_of(nobody), HasSubstr("cannot be seen from here"));
}

TEST_F(FileLock, TakesTheTextOfNoOtherProcess) {
  const auto held = held_by("first");
  for (const char* text : {"pid: -1\nsince: never\ncommand: gate\n", "pid: 1\n", ""}) {
    std::ofstream(folder_.path() / "lock") << text;
    const LockHolder holder = holder_of(opened());
    EXPECT_EQ(holder.pid, std::to_string(::getpid())) << text;
    EXPECT_EQ(holder.since, "unknown") << text;
    EXPECT_EQ(holder.command, "unknown") << text;
  }
}

TEST_F(FileLock, TellsEachHolderOnceAndAtOnce) {
  auto held = held_by("first");
  std::vector<std::string> told;
  std::atomic<bool> has_told{false};
  std::thread others([&] {
    while (!has_told) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // some looks more
    name_holder(*held, "second");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    held.reset();
  });
  const Descriptor waiting = opened();
  EXPECT_TRUE(lock_file(waiting, {.limit_s = 60, .on_held = [&](const LockHolder& holder) {
                                    told.push_back(holder.command);
                                    has_told = true;
                                  }}));
  others.join();
  EXPECT_THAT(told, ElementsAre("first", "second"));
}

TEST_F(FileLock, EndsItsWaitOnASignal) {
  const auto held = held_by("first");
  std::atomic<int> interrupted{0};
  const auto start = std::chrono::steady_clock::now();
  const Descriptor waiting = opened();
  const LockWait wait{
      .limit_s = 600, .interrupted = &interrupted, .on_held = [&](const LockHolder&) { interrupted = SIGTERM; }};
  try {
    lock_file(waiting, wait);
    FAIL() << "it has the lock";
  } catch (const Interruption& interruption) {
    EXPECT_EQ(interruption.signal(), SIGTERM);
    EXPECT_THAT(interruption.what(), HasSubstr("signal 15"));
  }
  EXPECT_LT(seconds_since(start), 60);
}

TEST_F(FileLock, LosesNoSignalThatCameBefore) {
  const auto held = held_by("first");
  const std::atomic<int> interrupted{SIGINT};
  EXPECT_THROW(lock_file(opened(), {.limit_s = 600, .interrupted = &interrupted}), Interruption);
}

}  // namespace
}  // namespace stepgate

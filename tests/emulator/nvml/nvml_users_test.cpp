#include "emulator/nvml/nvml_users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <utility>

namespace stepgate::emulator {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// A place that no machine has and no other process takes: tests run beside each other are children of one parent.
const int place = 1000 + ::getpid();

/// A child that shows itself, and ends when it is told or killed.
class ShownChild {
 public:
  ShownChild() {
    if (::pipe(ready_.data()) != 0) return;
    pid_ = ::fork();
    if (pid_ != 0) return;
    const NvmlPresence presence(place);
    const char told = presence.is_shown() ? 'y' : 'n';
    if (::write(ready_[1], &told, 1) == 1) ::pause();
    ::_exit(0);
  }
  ~ShownChild() {
    kill();
    ::close(ready_[0]);
    ::close(ready_[1]);
  }
  ShownChild(const ShownChild&) = delete;
  ShownChild& operator=(const ShownChild&) = delete;

  bool is_shown() {
    char told = 'n';
    return ::read(ready_[0], &told, 1) == 1 && told == 'y';
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  std::array<int, 2> ready_{-1, -1};
  pid_t pid_ = 0;
};

TEST(NvmlUsers, AProcessSeesItselfWhileItIsShown) {
  std::optional<NvmlPresence> presence(std::in_place, place);
  ASSERT_TRUE(presence->is_shown());
  EXPECT_THAT(pids_on_device(place, ::getpid()), ElementsAre(::getpid()));
  EXPECT_THAT(pids_on_device(place + 1'000'000'000, ::getpid()), ElementsAre());
  presence.reset();
  EXPECT_THAT(pids_on_device(place, ::getpid()), ElementsAre());
}

TEST(NvmlUsers, AChildIsListedUntilItIsKilled) {
  ShownChild child;
  ASSERT_TRUE(child.is_shown());
  EXPECT_THAT(pids_on_device(place, ::getpid()), ElementsAre(child.pid()));
  child.kill();
  EXPECT_THAT(pids_on_device(place, ::getpid()), ElementsAre());
}

TEST(NvmlUsers, ChildrenOfOneParentSeeEachOtherAndNotTheParent) {
  ShownChild first;
  ShownChild second;
  ASSERT_TRUE(first.is_shown());
  ASSERT_TRUE(second.is_shown());
  const NvmlPresence parent(place);
  EXPECT_THAT(pids_on_device(place, first.pid()), Contains(first.pid()));
  EXPECT_THAT(pids_on_device(place, first.pid()), Contains(second.pid()));
  EXPECT_THAT(pids_on_device(place, first.pid()), Not(Contains(::getpid())));
}

}  // namespace
}  // namespace stepgate::emulator

#include "measure/program/case/pass_settings.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <thread>

namespace stepgate {
namespace {

/// What a thread of its own has after `change`, which ends with the thread.
template <typename Change>
Fingerprint changed_by(Change change) {
  Fingerprint changed;
  std::thread([&] {
    const Fingerprint before = pass_settings(1);
    const int threads = change();
    note_changes(before, pass_settings(threads), changed);
  }).join();
  return changed;
}

TEST(PassSettings, NothingChangesByItself) {
  EXPECT_EQ(changed_by([] { return 1; }), Fingerprint{});
  EXPECT_EQ(pass_settings(3).at("threads"), "3");
}

TEST(PassSettings, NamesThreadsAndPriorityOfTheProgram) {
  const Fingerprint changed = changed_by([] {
    EXPECT_EQ(::setpriority(PRIO_PROCESS, 0, 19), 0);
    return 2;
  });
  EXPECT_EQ(changed, (Fingerprint{{"threads", "2"}, {"priority", "nice 19"}}));
}

TEST(PassSettings, NamesTheCpusThatAreLeft) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "there is one CPU";
  const Fingerprint changed = changed_by([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &allowed)) ++first;
    CPU_SET(first, &one);
    EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    return 1;
  });
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed.at("affinity").find_first_not_of("0123456789"), std::string::npos) << changed.at("affinity");
}

TEST(PassSettings, TheFirstChangeStays) {
  Fingerprint changed;
  note_changes({{"threads", "1"}}, {{"threads", "2"}}, changed);
  note_changes({{"threads", "1"}}, {{"threads", "1"}}, changed);
  note_changes({{"threads", "1"}}, {{"threads", "4"}}, changed);
  EXPECT_EQ(changed, (Fingerprint{{"threads", "2"}}));
}

}  // namespace
}  // namespace stepgate

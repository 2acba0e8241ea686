#include "measure/device/cpu/instruction_counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace stepgate {
namespace {

using testing::HasSubstr;

std::string refused_with(int error) {
  const auto opened = open_instruction_counter([error](perf_event_attr&) {
    errno = error;
    return -1;
  });
  const auto* reason = std::get_if<std::string>(&opened);
  return reason == nullptr ? "it was opened" : *reason;
}

TEST(InstructionCounter, SaysWhyThereIsNone) {
  EXPECT_THAT(refused_with(EACCES), HasSubstr("perf_event_paranoid"));
  EXPECT_THAT(refused_with(EPERM), HasSubstr("seccomp"));
  EXPECT_THAT(refused_with(ENOENT), HasSubstr("this machine has no counter of instructions"));
  EXPECT_THAT(refused_with(EOPNOTSUPP), HasSubstr("virtual machines"));
  EXPECT_THAT(refused_with(EMFILE), HasSubstr("Too many open files"));
}

TEST(InstructionCounter, CountsUserSpaceOfOneThreadWithoutSharing) {
  perf_event_attr asked{};
  static_cast<void>(open_instruction_counter([&](perf_event_attr& attributes) {
    asked = attributes;
    errno = ENOENT;
    return -1;
  }));
  EXPECT_EQ(asked.type, PERF_TYPE_HARDWARE);
  EXPECT_EQ(asked.config, PERF_COUNT_HW_INSTRUCTIONS);
  EXPECT_EQ(asked.exclude_kernel, 1U);
  EXPECT_EQ(asked.pinned, 1U);
  EXPECT_EQ(asked.inherit, 0U);
}

TEST(InstructionCounter, CountsALoopOnThisMachineOrSaysWhyNot) {
  OpenedInstructionCounter opened = open_instruction_counter();
  if (const auto* reason = std::get_if<std::string>(&opened)) GTEST_SKIP() << *reason;
  InstructionCounter& counter = *std::get<0>(opened);
  const auto before = counter.read();
  ASSERT_TRUE(before);
  volatile std::int64_t sum = 0;
  for (std::int64_t i = 0; i < 1'000'000; ++i) sum = sum + i;
  const auto after = counter.read();
  ASSERT_TRUE(after);
  EXPECT_GT(*after - *before, 2'000'000);
  EXPECT_LT(*after - *before, 20'000'000);
}

TEST(InstructionCounter, ACounterThatTheKernelTookAwayGivesNothing) {
  // A descriptor that reads as the end of a file, as a pinned counter without a place on the processor does.
  OpenedInstructionCounter opened = open_instruction_counter([](perf_event_attr&) {
    std::FILE* const empty = std::tmpfile();
    return ::dup(::fileno(empty));
  });
  ASSERT_EQ(opened.index(), 0U);
  EXPECT_FALSE(std::get<0>(opened)->read());
}

}  // namespace
}  // namespace stepgate

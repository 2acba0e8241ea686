#include "environment/knobs/knob_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace stepgate {
namespace {

using testing::HasSubstr;

AppliedChange change(const std::string& target, int error, std::optional<std::string> after) {
  return {{"interrupts", ChangeKind::file, target, "0-1", "0", 0}, error, std::move(after)};
}

TEST(KnobSummary, AllAsWantedIsAchieved) {
  const auto reports = knob_reports({change("/a", 0, "0"), change("/b", 0, "0")});
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].state, KnobState::achieved);
  EXPECT_EQ(reports[0].before, "0-1");
  EXPECT_EQ(reports[0].after, "0");
}

TEST(KnobSummary, SomeRefusedIsStillAchievedAndCounted) {
  const auto report = knob_reports({change("/a", EIO, "0-1"), change("/b", 0, "0")}).front();
  EXPECT_EQ(report.state, KnobState::achieved);
  EXPECT_THAT(report.reason, HasSubstr("1 of 2 set; /a"));
}

TEST(KnobSummary, AllRefusedIsDenied) {
  const auto report = knob_reports({change("/a", EPERM, "0-1")}).front();
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_EQ(report.error, EPERM);
}

TEST(KnobSummary, OneOtherValueIsOverridden) {
  const auto report = knob_reports({change("/a", 0, "0"), change("/b", 0, "0-1")}).front();
  EXPECT_EQ(report.state, KnobState::overridden);
  EXPECT_THAT(report.reason, HasSubstr("/b was written '0' and reads '0-1'"));
}

TEST(KnobSummary, AValueThatCannotBeReadBackCountsAsSet) {
  EXPECT_EQ(knob_reports({change("/a", 0, {})}).front().state, KnobState::achieved);
}

}  // namespace
}  // namespace stepgate

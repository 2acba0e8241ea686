#include "measure/profile/trace_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

std::string schedule_refusal(std::string_view text) {
  try {
    read_trace_schedule(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(TraceSchedule, KeepsDefaultsOfWhatIsNotNamed) {
  EXPECT_EQ(read_trace_schedule(""), TraceSchedule{});
  EXPECT_EQ(read_trace_schedule("active=2,repeat=3"),
            (TraceSchedule{.skip = 3, .wait = 0, .warmup = 2, .active = 2, .repeat = 3}));
}

TEST(TraceSchedule, AFileTakesAsManyStepsAsViewersOpen) {
  const TraceSchedule schedule{.active = 5};
  EXPECT_EQ(steps_that_fit(schedule, 2'000), 5);
  EXPECT_EQ(steps_that_fit(schedule, 40'000), 5);
  EXPECT_EQ(steps_that_fit(schedule, 40'001), 4);
  EXPECT_EQ(steps_that_fit(schedule, 900'000), 1) << "never none";
  EXPECT_EQ(steps_that_fit(schedule, 0), 5) << "not observed";
}

TEST(TraceSchedule, RefusesWhatNobodyCanOpenOrUnderstand) {
  EXPECT_THAT(schedule_refusal("active=21"), testing::HasSubstr("21 steps would be traced, at most 20 are"));
  EXPECT_THAT(schedule_refusal("active=7,repeat=3"), testing::HasSubstr("21 steps would be traced"));
  EXPECT_EQ(schedule_refusal("active=20"), "");
  EXPECT_THAT(schedule_refusal("active=0"), testing::HasSubstr("\"active=0\": not a whole number from 1"));
  EXPECT_THAT(schedule_refusal("skip=-1"), testing::HasSubstr("\"skip=-1\""));
  EXPECT_THAT(schedule_refusal("steps=3"), testing::HasSubstr("\"steps=3\": not one of skip"));
  EXPECT_THAT(schedule_refusal("skip"), testing::HasSubstr("\"skip\": not one of"));
}

}  // namespace
}  // namespace stepgate

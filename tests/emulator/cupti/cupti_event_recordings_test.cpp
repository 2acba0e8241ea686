#include "emulator/cupti/cupti_event_recordings.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(CuptiEventRecordings, EachRecordingHasANumberOfItsOwn) {
  EventRecordings recordings;
  EXPECT_EQ(recordings.number_of(256), 0U);
  EXPECT_EQ(recordings.add(256), 1U);
  EXPECT_EQ(recordings.add(512), 2U);
  EXPECT_EQ(recordings.add(256), 3U);
  EXPECT_EQ(recordings.number_of(256), 3U);
  EXPECT_EQ(recordings.number_of(512), 2U);
}

TEST(CuptiEventRecordings, AProgramThatMakesEventsInEachStepLeavesNothing) {
  EventRecordings recordings;
  recordings.add(256);
  for (EventHandle event = 512; event < 512 + 1000; ++event) {
    recordings.add(event);
    recordings.forget(event);
    EXPECT_EQ(recordings.number_of(event), 0U);
  }
  recordings.forget(1);
  EXPECT_EQ(recordings.size(), 1U);
  EXPECT_EQ(recordings.number_of(256), 1U);
  EXPECT_EQ(recordings.add(256), 1002U);
}

TEST(CuptiEventRecordings, ALongRunKeepsTheEventsThatWereRecordedLast) {
  EventRecordings recordings;
  constexpr EventHandle last = 3 * EventRecordings::most_events;
  for (EventHandle event = 1; event <= last; ++event) {
    recordings.add(event);
    recordings.add(1);  // one event that is used all the time
  }
  EXPECT_EQ(recordings.size(), EventRecordings::most_events);
  EXPECT_EQ(recordings.number_of(1), 2 * last);
  EXPECT_EQ(recordings.number_of(last), 2 * last - 1);
  EXPECT_EQ(recordings.number_of(2), 0U);
}

}  // namespace
}  // namespace stepgate::emulator

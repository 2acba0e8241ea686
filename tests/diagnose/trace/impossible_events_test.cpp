#include "diagnose/trace/impossible_events.h"

#include <gtest/gtest.h>

#include <string>

namespace stepgate {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t instant = 1'712'195'495 * second;

struct ScriptedEvent {
  TraceCategory category = TraceCategory::operator_call;
  std::int64_t at_ns = 0;
  std::int64_t length_ns = 0;
  std::int64_t correlation = 0;
};

/// An hour of operators, and one event more.
TraceEvents hour_with(const ScriptedEvent& more) {
  TraceEvents trace;
  trace.names = {"a"};
  trace.threads = {"1/1"};
  trace.device_ids = {0};
  for (std::int64_t minute = 0; minute <= 60; ++minute) {
    trace.events.push_back({.start_ns = instant + minute * 60 * second, .duration_ns = 1000});
  }
  trace.events.push_back({.start_ns = instant + 1800 * second,
                          .duration_ns = 1000,
                          .correlation = 7,
                          .category = TraceCategory::runtime_call});
  trace.events.push_back({.start_ns = instant + more.at_ns,
                          .duration_ns = more.length_ns,
                          .correlation = more.correlation,
                          .category = more.category});
  return trace;
}

/// What is wrong with the event, or "" where it stays.
std::string wrong_with(const ScriptedEvent& more) {
  TraceEvents trace = hour_with(more);
  const std::size_t before = trace.events.size();
  leave_out_impossible(trace);
  if (trace.left_out.empty()) {
    EXPECT_EQ(trace.events.size(), before);
    return "";
  }
  EXPECT_EQ(trace.events.size(), before - 1);
  EXPECT_EQ(trace.left_out.size(), 1u);
  EXPECT_EQ(trace.left_out.begin()->second.events, 1);
  return trace.left_out.begin()->first;
}

TEST(ImpossibleEvents, WorkOfADeviceLiesWithinWhatWasRecorded) {
  constexpr auto kernel = TraceCategory::kernel;
  EXPECT_EQ(wrong_with({kernel, 100 * second, 50, 0}), "");
  EXPECT_EQ(wrong_with({kernel, -second / 2, 50, 0}), "");
  EXPECT_EQ(wrong_with({kernel, -2 * second, 50, 0}), "of a device outside of the time that was recorded");
  EXPECT_EQ(wrong_with({kernel, 3600 * second, 30 * second, 0}), "");
  EXPECT_EQ(wrong_with({kernel, 3600 * second, 90 * second, 0}), "of a device outside of the time that was recorded");
}

TEST(ImpossibleEvents, WorkBeginsAfterItsCall) {
  constexpr auto kernel = TraceCategory::kernel;
  EXPECT_EQ(wrong_with({kernel, 1800 * second - 5000, 50, 7}), "");  // the clocks differ a little
  EXPECT_EQ(wrong_with({kernel, 1790 * second, 50, 7}), "of a device before the call that started them");
  EXPECT_EQ(wrong_with({kernel, 1790 * second, 50, 8}), "");  // nobody knows its call
}

TEST(ImpossibleEvents, NothingLastsADay) {
  constexpr std::int64_t day = 86'400 * second;
  EXPECT_EQ(wrong_with({TraceCategory::operator_call, 0, day + 1, 0}), "a day apart from the others, or a day long");
  EXPECT_EQ(wrong_with({TraceCategory::operator_call, 3 * day, 5, 0}), "a day apart from the others, or a day long");
  EXPECT_EQ(wrong_with({TraceCategory::annotation, -instant, 5, 0}), "at time 0");
}

TEST(ImpossibleEvents, ATraceMayBeginAtTimeZero) {
  TraceEvents trace;
  trace.events.push_back({.start_ns = 0, .duration_ns = 5});
  trace.events.push_back({.start_ns = 7, .duration_ns = 5});
  leave_out_impossible(trace);
  EXPECT_EQ(trace.events.size(), 2u);
  EXPECT_TRUE(trace.left_out.empty());
}

}  // namespace
}  // namespace stepgate

#include "diagnose/trace/host_pauses.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

constexpr std::int64_t pause_ms = 1'000'000;

TraceEvent host_event(TraceCategory category, std::int64_t begin, std::int64_t end, std::uint16_t thread = 0) {
  return {.start_ns = begin,
          .duration_ns = end - begin,
          .correlation = category == TraceCategory::runtime_call ? 1 : 0,
          .place = thread,
          .category = category};
}

TraceEvents two_threads() {
  TraceEvents trace;
  trace.names = {"a"};
  trace.threads = {"1/1", "1/2"};
  return trace;
}

TraceSteps one_step(std::int64_t end) {
  TraceSteps steps;
  steps.ranges = steps.cycles = {{0, end}};
  steps.thread = std::uint16_t{0};
  return steps;
}

TEST(HostPauses, AreLongStretchesAndTheHeadOfEachStep) {
  TraceEvents trace = two_threads();
  trace.events.push_back(host_event(TraceCategory::operator_call, 100, 300));
  trace.events.push_back(host_event(TraceCategory::operator_call, 400, 500));  // a short pause is launching
  trace.events.push_back(host_event(TraceCategory::runtime_call, 500 + pause_ms, 600 + pause_ms));
  trace.events.push_back(host_event(TraceCategory::operator_call, 700 + pause_ms, 800 + pause_ms));
  EXPECT_EQ(host_pauses(trace, one_step(900 + pause_ms)), (Spans{{0, 100}, {500, 500 + pause_ms}}));
}

TEST(HostPauses, AThreadThatLaunchesNothingDoesNotFillThem) {
  TraceEvents trace = two_threads();
  trace.events.push_back(host_event(TraceCategory::operator_call, 0, 100));
  trace.events.push_back(host_event(TraceCategory::operator_call, 100, 2 * pause_ms, 1));  // a loader's worker
  trace.events.push_back(host_event(TraceCategory::operator_call, 2 * pause_ms, 2 * pause_ms + 5));
  EXPECT_EQ(host_pauses(trace, one_step(3 * pause_ms)), (Spans{{100, 2 * pause_ms}}));
  trace.events.push_back(host_event(TraceCategory::runtime_call, pause_ms, pause_ms + 5, 1));  // the thread of backward
  EXPECT_EQ(host_pauses(trace, one_step(3 * pause_ms)), Spans{});
}

TEST(HostPauses, AnOperatorThatWaitsForDataLiesInOne) {
  TraceEvents trace = two_threads();
  trace.names.push_back("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
  trace.events.push_back(host_event(TraceCategory::operator_call, 0, 3 * pause_ms));
  trace.events.back().name = 1;
  trace.events.push_back(host_event(TraceCategory::operator_call, 3 * pause_ms + 40, 4 * pause_ms));
  EXPECT_EQ(host_pauses(trace, one_step(4 * pause_ms)), (Spans{{0, 3 * pause_ms + 40}}));
}

TEST(HostPauses, ATraceWithoutOperatorsHasNone) {
  TraceEvents trace = two_threads();
  trace.events.push_back(host_event(TraceCategory::runtime_call, 5 * pause_ms, 6 * pause_ms));
  EXPECT_EQ(host_pauses(trace, one_step(9 * pause_ms)), Spans{});
}

}  // namespace
}  // namespace stepgate

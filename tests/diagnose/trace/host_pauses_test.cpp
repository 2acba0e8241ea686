#include "diagnose/trace/host_pauses.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

constexpr std::int64_t ms = 1'000'000;

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
  trace.events.push_back(host_event(TraceCategory::runtime_call, 500 + ms, 600 + ms));
  trace.events.push_back(host_event(TraceCategory::operator_call, 700 + ms, 800 + ms));
  EXPECT_EQ(host_pauses(trace, one_step(900 + ms)), (Spans{{0, 100}, {500, 500 + ms}}));
}

TEST(HostPauses, AThreadThatLaunchesNothingDoesNotFillThem) {
  TraceEvents trace = two_threads();
  trace.events.push_back(host_event(TraceCategory::operator_call, 0, 100));
  trace.events.push_back(host_event(TraceCategory::operator_call, 100, 2 * ms, 1));  // a loader's worker
  trace.events.push_back(host_event(TraceCategory::operator_call, 2 * ms, 2 * ms + 5));
  EXPECT_EQ(host_pauses(trace, one_step(3 * ms)), (Spans{{100, 2 * ms}}));
  trace.events.push_back(host_event(TraceCategory::runtime_call, ms, ms + 5, 1));  // the thread of backward
  EXPECT_EQ(host_pauses(trace, one_step(3 * ms)), Spans{});
}

TEST(HostPauses, AnOperatorThatWaitsForDataLiesInOne) {
  TraceEvents trace = two_threads();
  trace.names.push_back("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
  trace.events.push_back(host_event(TraceCategory::operator_call, 0, 3 * ms));
  trace.events.back().name = 1;
  trace.events.push_back(host_event(TraceCategory::operator_call, 3 * ms + 40, 4 * ms));
  EXPECT_EQ(host_pauses(trace, one_step(4 * ms)), (Spans{{0, 3 * ms + 40}}));
}

TEST(HostPauses, ATraceWithoutOperatorsHasNone) {
  TraceEvents trace = two_threads();
  trace.events.push_back(host_event(TraceCategory::runtime_call, 5 * ms, 6 * ms));
  EXPECT_EQ(host_pauses(trace, one_step(9 * ms)), Spans{});
}

}  // namespace
}  // namespace stepgate

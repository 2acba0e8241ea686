#include "measure/passes/step_window.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/counted_new.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::string text(const FakeCall& call) {
  return call.what == "event" ? fmt::format("event {}", call.slot) : std::string(call.what);
}

std::vector<std::string> calls_of_one_window(FakeDevice device, std::int64_t steps) {
  FakeBackend backend(device);
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {}};
  StepWindow window(run, steps);
  std::vector<std::string> calls;
  backend.observe([&](const FakeCall& call) { calls.push_back(text(call)); });
  window.run(steps);
  backend.observe({});
  return calls;
}

// Each step has 17 events: three, and one for the end of each boundary that a step can have.
TEST(StepWindow, MakesExactlyTheseCallsInsideAWindow) {
  EXPECT_THAT(calls_of_one_window({}, 2), ElementsAreArray({"synchronize", "now",                                     //
                                                            "event 0",     "load",    "now",                          //
                                                            "event 1",     "copy",    "event 2",  "now", "event 4",   //
                                                            "forward",     "now",     "event 5",                      //
                                                            "backward",    "now",     "event 6",                      //
                                                            "optimizer",   "now",     "event 7",                      //
                                                            "log",         "now",     "event 8",                      //
                                                            "batch_info",  "release", "now",                          //
                                                            "event 17",    "load",    "now",                          //
                                                            "event 18",    "copy",    "event 19", "now", "event 21",  //
                                                            "forward",     "now",     "event 22",                     //
                                                            "backward",    "now",     "event 23",                     //
                                                            "optimizer",   "now",     "event 24",                     //
                                                            "log",         "now",     "event 25",                     //
                                                            "batch_info",  "release", "now",                          //
                                                            "synchronize", "now"}));
}

TEST(StepWindow, RecordsNoEventOnADeviceWithoutEvents) {
  EXPECT_THAT(calls_of_one_window(test::like_cpu, 1),
              ElementsAre("synchronize", "now", "load", "now", "copy", "now", "forward", "now", "backward", "now",
                          "optimizer", "now", "log", "now", "batch_info", "release", "now", "synchronize", "now"));
}

TEST(StepWindow, AllocatesNothingInsideAWindow) {
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {.e2e = 20, .window = 10}};
  std::int64_t at_begin = -1;
  std::vector<std::int64_t> inside;
  inside.reserve(8);
  std::size_t clock_reads = 0;
  backend.observe([&](const FakeCall& call) {
    if (call.what != "now") return;
    // Each of the two windows reads the clock once at its begin, 7 times a step and once after its end.
    const std::size_t in_window = clock_reads++ % 72;
    if (in_window == 0) at_begin = test::heap_allocations();
    if (in_window == 71) inside.push_back(test::heap_allocations() - at_begin);
  });
  run_e2e(run);
  backend.observe({});

  EXPECT_EQ(clock_reads, 144u);
  EXPECT_THAT(inside, ElementsAre(0, 0));
}

TEST(StepWindow, ReservesEventsOnceForAllWindows) {
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {.e2e = 30, .window = 10}};
  std::vector<FakeCall> reserved;
  backend.observe([&](const FakeCall& call) {
    if (call.what == "reserve_events") reserved.push_back(call);
  });
  run_e2e(run);
  backend.observe({});

  EXPECT_THAT(reserved, ElementsAre(FakeCall{"reserve_events", 170}));
}

TEST(StepWindow, ReadsTheClockSevenTimesPerStep) {
  FakeDevice device = test::like_cpu;
  device.clock_read_ns = 20;
  FakeBackend backend(device);
  ScriptedStep step(backend, {test::host_step(0)});
  TimedRun run{step, backend, {.e2e = 10, .window = 10}};

  // 20 ns each (docs/design/measurement.md, "Reference figures"): this is what an empty step costs, plus the one read
  // after the window.
  EXPECT_EQ(run_e2e(run).windows[0].wall_ns, 10 * 7 * 20 + 20);
}

TEST(StepWindow, PacesAreDeviceTimesBetweenStepEnds) {
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {}};
  StepWindow window(run, 3);
  window.run(3);
  std::vector<Pace> paces;
  window.append_paces(paces);

  ASSERT_EQ(paces.size(), 3u);
  EXPECT_EQ(paces[0].ns, 382);
  EXPECT_EQ(paces[1].ns, 350);
  EXPECT_EQ(paces[2].padded_tokens, 64);
}

TEST(StepWindow, PacesAreHostTimesWithoutEvents) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(90)});
  TimedRun run{step, backend, {}};
  StepWindow window(run, 2);
  window.run(2);
  std::vector<Pace> paces;
  window.append_paces(paces);

  EXPECT_EQ(paces[1].ns, 90);
}

}  // namespace
}  // namespace stepgate

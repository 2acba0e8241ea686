#include "measure/passes/event_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "measure/passes/step_window.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

constexpr std::int64_t event_ms = 1'000'000;

/// A GPU step of about `ns`, with a copy of 20 ns.
ScriptedStepPlan event_device_step(std::int64_t ns) {
  ScriptedStepPlan plan = test::queued_step();
  plan.at(Boundary::forward).device_ns = ns;
  return plan;
}

struct Measured {
  Warmup warmup;
  TimedPass e2e;
};

Measured measured(FakeDevice device, std::int64_t step_ns) {
  FakeBackend backend(device);
  ScriptedStep step(backend, {event_device_step(step_ns)});
  TimedRun run{step, backend, {.e2e = 100, .window = 10}};
  Measured result;
  result.warmup = warm_up(run);
  result.e2e = run_e2e(run);
  return result;
}

std::vector<bool> marked_windows(const TimedPass& pass) {
  std::vector<bool> marked;
  for (const Window& window : pass.windows) {
    const bool first = pass.steps[static_cast<std::size_t>(window.first_step)].device_ns.has_value();
    for (std::int64_t i = 0; i < window.steps; ++i) {
      EXPECT_EQ(pass.steps[static_cast<std::size_t>(window.first_step + i)].device_ns.has_value(), first) << i;
    }
    marked.push_back(first);
  }
  return marked;
}

TEST(EventCost, IsMeasuredAndRecorded) {
  const Measured found = measured({.record_ns = 1000}, 100 * event_ms);
  EXPECT_EQ(found.warmup.event_cost, (EventCost{.record_ns = 1000, .records_per_step = 8, .marked_window_every = 1}));
}

TEST(EventCost, IsAbsentWithoutEvents) {
  EXPECT_EQ(measured(test::like_cpu, event_ms).warmup.event_cost, std::nullopt);
}

TEST(EventCost, EveryWindowIsMarkedWhereEventsCostLittle) {
  EXPECT_EQ(marked_windows(measured({.record_ns = 1000}, 100 * event_ms).e2e), std::vector<bool>(10, true));
}

// 8 records of 1 us in a step of 2.5 ms are 0.32 %: every fourth window, on average 0.08 %.
TEST(EventCost, FewerWindowsAreMarkedWhereEventsTakeMoreThanATenthOfAPercent) {
  const Measured found = measured({.record_ns = 1000}, 5 * event_ms / 2);
  EXPECT_EQ(found.warmup.event_cost->marked_window_every, 4);
  EXPECT_EQ(marked_windows(found.e2e),
            (std::vector<bool>{true, false, false, false, true, false, false, false, true, false}));
}

TEST(EventCost, OneWindowIsMarkedHoweverMuchEventsCost) {
  const std::vector<bool> marked = marked_windows(measured({.record_ns = 100'000}, event_ms).e2e);
  EXPECT_TRUE(marked.front());
  EXPECT_EQ(std::count(marked.begin(), marked.end(), true), 1);
}

TEST(EventCost, AWindowWithoutEventsCostsNone) {
  // The host is the slower side here, so that each record shows in the wall time.
  const Measured found = measured({.record_ns = 100'000}, 10);
  const std::int64_t marked = found.e2e.windows[0].wall_ns;
  const std::int64_t unmarked = found.e2e.windows[1].wall_ns;
  constexpr std::int64_t device_ns = 10 * 280;  // some of it runs beside the records
  EXPECT_NEAR(static_cast<double>(marked - unmarked), 10 * 8 * 100'000, device_ns);
}

TEST(EventCost, TheLoggingPassRecordsNoEvents) {
  FakeBackend backend;
  ScriptedStep step(backend, {event_device_step(event_ms)});
  TimedRun run{step, backend, {.window = 10, .logging = 40}};
  StepWindow reserved(run, 10);
  std::int64_t events = 0;
  backend.observe([&](const FakeCall& call) { events += call.what == "event" ? 1 : 0; });
  run_logging(run);
  EXPECT_EQ(events, 0);
}

TEST(EventCost, AnUnknownCostOrStepThinsNothing) {
  EXPECT_EQ(marked_window_every(0, event_ms), 1);
  EXPECT_EQ(marked_window_every(1000, 0), 1);
  EXPECT_EQ(marked_window_every(1000, event_ms), 1);
  EXPECT_EQ(marked_window_every(1001, event_ms), 2);
}

}  // namespace
}  // namespace stepgate

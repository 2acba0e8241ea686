#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

ScriptedStepPlan batch_after(std::int64_t wait_ns) {
  ScriptedStepPlan plan = test::queued_step();
  plan.at(Boundary::data_wait) = {.host_ns = wait_ns};
  plan.release_ns = 1;
  return plan;
}

TEST(LoaderPass, DrawsBatchesAndComputesNothing) {
  FakeBackend backend;
  ScriptedStep step(backend, {batch_after(40)});
  TimedRun run{step, backend, {.window = 5, .loader = 10}};
  std::vector<std::string> calls;
  backend.observe([&](const FakeCall& call) {
    if (call.what != "now" && call.what != "batch_info" && call.what != "release") calls.emplace_back(call.what);
  });
  const TimedPass pass = run_loader(run);

  EXPECT_EQ(calls, std::vector<std::string>(20, "load")) << "ten recorded, and two windows before";
  ASSERT_EQ(pass.windows.size(), 2u);
  EXPECT_EQ(pass.windows[1].wall_ns, 5 * 41);
  EXPECT_EQ(pass.windows[1].first_step, 5);
  ASSERT_EQ(pass.steps.size(), 10u);
  EXPECT_EQ(pass.steps[9].host_ns, (BoundaryTimes{40, 0, 0, 0, 0, 0}));
  EXPECT_EQ(pass.steps[9].samples, 4);
}

TEST(LoaderPass, LeavesOutWhatWorkersPreparedBefore) {
  FakeBackend backend;
  std::vector<ScriptedStepPlan> script(10, batch_after(0));  // the queue is full
  script.push_back(batch_after(100));
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.window = 5, .loader = 5}};

  EXPECT_EQ(run_loader(run).windows.front().wall_ns, 5 * 101);
}

TEST(LoaderPass, RefusesCountsThatAreNotWholeWindows) {
  FakeBackend backend;
  ScriptedStep step(backend, {batch_after(40)});
  TimedRun run{step, backend, {.window = 10, .loader = 5}};
  EXPECT_THROW(run_loader(run), Error);
}

}  // namespace
}  // namespace stepgate

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

ScriptedStepPlan slow_loader() {
  ScriptedStepPlan plan = test::queued_step();
  plan.at(Boundary::data_wait).host_ns = 1000;
  return plan;
}

TEST(SyntheticPass, IncludesNeitherLoaderNorCopy) {
  FakeBackend backend;
  ScriptedStep step(backend, {slow_loader()});
  TimedRun run{step, backend, {.window = 10, .synthetic = 10}, {7}};
  const TimedPass pass = run_synthetic(run);

  ASSERT_EQ(pass.windows.size(), 1u);
  EXPECT_EQ(pass.windows[0].wall_ns, 5 + 10 * 350);
  EXPECT_EQ(pass.steps[3].host_ns, (BoundaryTimes{0, 0, 5, 5, 5, 1}));
  EXPECT_EQ(pass.steps[3].samples, 4);
}

TEST(SyntheticPass, NeedsAStepThatCanKeepItsBatch) {
  FakeBackend backend;
  test::StepWithoutAbilities step(backend, {slow_loader()});
  TimedRun run{step, backend, {.window = 10, .synthetic = 10}};
  EXPECT_THROW(run_synthetic(run), Error);
}

TEST(SyntheticPass, LoadsAndCopiesOneBatchBeforeItStaysResident) {
  FakeBackend backend;
  ScriptedStep step(backend, {slow_loader()});
  TimedRun run{step, backend, {.window = 5, .synthetic = 10}, {7}};
  std::vector<std::string> calls;
  backend.observe([&](const FakeCall& call) {
    if (call.what == "load" || call.what == "copy" || call.what == "keep_batch" || call.what == "let_go_of_batch")
      calls.emplace_back(call.what);
  });
  run_synthetic(run);
  backend.observe({});

  EXPECT_EQ(calls, (std::vector<std::string>{"load", "copy", "keep_batch", "let_go_of_batch"}));
}

TEST(SyntheticPass, RefusesCountsThatAreNotWholeWindows) {
  FakeBackend backend;
  ScriptedStep step(backend, {slow_loader()});
  TimedRun run{step, backend, {.window = 10, .synthetic = 15}};
  try {
    run_synthetic(run);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--stepgate_steps: synthetic=15 is not a multiple of window=10");
  }
}

}  // namespace
}  // namespace stepgate

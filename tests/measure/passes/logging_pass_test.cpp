#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

ScriptedStepPlan logging_step() {
  ScriptedStepPlan plan = test::host_step(100);
  plan.at(Boundary::logging) = {.host_ns = 7};
  return plan;
}

TEST(LoggingPass, AlternatesBlocksWithoutAndWithLogging) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {logging_step()});
  TimedRun run{step, backend, {.window = 5, .logging = 40}};
  const std::vector<LoggingBlock> blocks = run_logging(run);

  std::string order;
  for (const LoggingBlock& block : blocks) {
    order += block.on ? 'B' : 'A';
    EXPECT_EQ(block.steps, 5);
    EXPECT_EQ(block.wall_ns, 5 * (block.on ? 107 : 100));
  }
  EXPECT_EQ(order, "ABBAABBA");
}

TEST(LoggingPass, LeavesLoggingOn) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {logging_step()});
  TimedRun run{step, backend, {.window = 5, .logging = 20}};
  run_logging(run);
  step.run(Boundary::logging, 99);
  EXPECT_EQ(step.logged_step(), 99);
}

TEST(LoggingPass, RefusesHalfAnAbba) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {logging_step()});
  TimedRun run{step, backend, {.window = 10, .logging = 20}};
  EXPECT_THROW(run_logging(run), Error);
}

TEST(LoggingPass, NeedsAStepWhoseLoggingCanBeSwitchedOff) {
  FakeBackend backend(test::like_cpu);
  test::StepWithoutAbilities step(backend, {logging_step()});
  TimedRun run{step, backend, {.window = 5, .logging = 20}};
  EXPECT_THROW(run_logging(run), Error);
  EXPECT_EQ(step.logged_step(), -1) << "it ran no step";
}

TEST(LoggingPass, MarksTheBlockWithASkippedUpdate) {
  FakeBackend backend(test::like_cpu);
  std::vector<ScriptedStepPlan> script(20, logging_step());
  script[7].skipped_updates = 1;
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.window = 5, .logging = 20}};
  const std::vector<LoggingBlock> blocks = run_logging(run);
  ASSERT_EQ(blocks.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(blocks[i].skipped_update, i == 1) << i;
}

}  // namespace
}  // namespace stepgate

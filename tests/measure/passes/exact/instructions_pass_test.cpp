#include "measure/passes/exact/instructions_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

using Totals = std::map<std::string, std::int64_t>;

/// An instruction takes a nanosecond of virtual time.
class ScriptedInstructions final : public InstructionCounter {
 public:
  explicit ScriptedInstructions(FakeBackend& backend) : backend_(backend) {}
  std::optional<std::int64_t> read() override {
    if (++readings_ > most_readings) return std::nullopt;
    return backend_.now_ns();
  }

  std::int64_t most_readings = 1'000'000;

 private:
  FakeBackend& backend_;
  std::int64_t readings_ = 0;
};

TEST(InstructionsPass, CountsEachBoundaryOfTheStepsAfterTheWarmUp) {
  FakeBackend backend;
  ScriptedInstructions counter(backend);
  ScriptedStepPlan cold = test::queued_step();
  cold.at(Boundary::forward).host_ns = 5000;
  ScriptedStep step(backend, {cold, test::queued_step()});
  const auto counts = run_instructions(step, counter, {.instructions = 3, .exact_warmup = 1});

  ASSERT_TRUE(counts);
  EXPECT_THAT(counts->per_step, ElementsAre(28, 28, 28));
  EXPECT_EQ(
      counts->by_boundary,
      (Totals{{"data_wait", 30}, {"h2d", 6}, {"forward", 15}, {"backward", 15}, {"optimizer", 15}, {"logging", 3}}));
}

TEST(InstructionsPass, CountsABoundaryOfTheLoopsOwn) {
  FakeBackend backend;
  ScriptedInstructions counter(backend);
  ScriptedStepPlan plan = test::queued_step();
  plan.at(own_boundary(0)) = {.host_ns = 70};
  ScriptedStep step(backend, {plan});
  step.name_boundary("critic", Boundary::forward);
  const auto counts = run_instructions(step, counter, {.instructions = 2, .exact_warmup = 0});

  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->by_boundary.at("critic"), 140);
  EXPECT_EQ(counts->by_boundary.at("forward"), 10);
}

TEST(InstructionsPass, LeavesOutWhatLiesBetweenBoundaries) {
  FakeBackend backend;
  ScriptedInstructions counter(backend);
  ScriptedStepPlan plan = test::queued_step();
  plan.release_ns = 900;
  ScriptedStep step(backend, {plan});
  EXPECT_THAT(run_instructions(step, counter, {.instructions = 1, .exact_warmup = 0})->per_step, ElementsAre(28));
}

TEST(InstructionsPass, IsAbsentWhereTheCounterFails) {
  FakeBackend backend;
  ScriptedInstructions counter(backend);
  counter.most_readings = 20;
  ScriptedStep step(backend, {test::queued_step()});
  EXPECT_FALSE(run_instructions(step, counter, {.instructions = 3, .exact_warmup = 1}));
}

TEST(InstructionsPass, RefusesZeroSteps) {
  FakeBackend backend;
  ScriptedInstructions counter(backend);
  ScriptedStep step(backend, {test::queued_step()});
  EXPECT_THROW(run_instructions(step, counter, {.instructions = 0}), Error);
}

}  // namespace
}  // namespace stepgate

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/step/step_form.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

Case loop_case() {
  Case loop;
  loop.loop = [](StepMarks& marks, const CaseContext&) {
    const torch::Tensor loss = torch::ones({}, torch::requires_grad());
    while (marks.next_step()) {
      marks.loaded({.samples = 1});
      marks.forward_done(loss);
    }
  };
  return loop;
}

struct BuiltOnCpu {
  explicit BuiltOnCpu(const Case& test_case) : built(build_step(test_case, {.params = test_case.params}, *device)) {}

  StepFacts facts(Group group) const { return built.step->facts({.group = group, .steps = steps}); }

  std::unique_ptr<DeviceSide> device = open_device("cpu");
  StepCounts steps = {.checkpoint = 1};
  BuiltStep built;
};

TEST(StepForm, OfAWorkloadHasPhasesAndAllAbilities) {
  const BuiltOnCpu plain(toy_mlp());
  EXPECT_EQ(plain.built.form, &row_of(StepForm::phases));
  EXPECT_EQ(plain.built.step.get(), plain.built.over_workload);
  EXPECT_EQ(plain.built.step->boundaries(), StepBoundaries());
  const StepAbilities abilities = plain.built.step->abilities();
  EXPECT_TRUE(abilities.switches && abilities.watch && abilities.saves && abilities.scaling);
  EXPECT_THAT(plain.built.over_workload->keeps_optimizer(), "");
  EXPECT_TRUE(plain.facts(Group::timed).absent.empty());
}

TEST(StepForm, OfAWorkloadThatIsOneCallKeepsItsOptimizer) {
  const BuiltOnCpu whole(toy_whole_step());
  EXPECT_EQ(whole.built.form, &row_of(StepForm::whole_step));
  EXPECT_THAT(whole.built.step->boundaries().names(), ElementsAre("data_wait", "h2d", "whole_step", "logging"));
  EXPECT_THAT(whole.built.over_workload->keeps_optimizer(), HasSubstr("one compiled step"));
  EXPECT_THAT(whole.facts(Group::timed).absent, Contains(Key("forward_ns")));
}

TEST(StepForm, OfALoopOwnsItsBatchesAndItsLogging) {
  const BuiltOnCpu loop(loop_case());
  EXPECT_EQ(loop.built.form, &row_of(StepForm::loop));
  EXPECT_EQ(loop.built.workload, nullptr);
  EXPECT_EQ(loop.built.over_workload, nullptr);
  const StepAbilities abilities = loop.built.step->abilities();
  EXPECT_FALSE(abilities.switches || abilities.saves);
  EXPECT_TRUE(abilities.watch && abilities.scaling);
  EXPECT_THAT(loop.facts(Group::timed).absent, Contains(Key("checkpoint_save_ns")));
  EXPECT_THAT(loop.facts(Group::exact).absent, Not(Contains(Key("checkpoint_save_ns"))));
}

TEST(StepForm, NeedsAWorkload) {
  Case none;
  none.make = [](const CaseContext&) { return nullptr; };
  EXPECT_THROW(BuiltOnCpu{none}, Error);
}

}  // namespace
}  // namespace stepgate

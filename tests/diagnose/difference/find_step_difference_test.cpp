#include "diagnose/difference/find_step_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "diagnose/difference/observed_processes.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

struct TwoSteps {
  std::vector<SimulatedSite> base = simulated_step();
  std::vector<SimulatedSite> head = simulated_step();
};

DifferenceInput measured(const TwoSteps& steps, SimulatedMachine machine, int pairs = 6) {
  DifferenceInput input;
  for (int i = 0; i < pairs; ++i) {
    input.base.push_back(machine.process(steps.base));
    input.head.push_back(machine.process(steps.head));
  }
  return input;
}

DifferenceInput measured(const TwoSteps& steps, std::uint64_t seed, int pairs = 6) {
  return measured(steps, SimulatedMachine(seed), pairs);
}

constexpr int runs = 200;

/// Of `runs`, in which the row of that operator is listed with a difference of that sign.
int times_found(const TwoSteps& steps, const std::string& name, double sign) {
  int found = 0;
  for (int run = 0; run < runs; ++run) {
    const StepDifference difference = step_difference(measured(steps, static_cast<std::uint64_t>(run)));
    found += std::any_of(difference.rows.begin(), difference.rows.end(),
                         [&](const DifferenceRow& row) { return row.name == name && row.difference_ns * sign > 0; });
  }
  return found;
}

/// Of `runs` without a change, in which a row or the common factor is called different.
int times_anything_is_named(const SimulatedNoise& noise) {
  int named = 0;
  for (int run = 0; run < runs; ++run) {
    const StepDifference difference =
        step_difference(measured(TwoSteps{}, SimulatedMachine(static_cast<std::uint64_t>(run), noise)));
    named += !difference.rows.empty() || difference.alike.differs;
  }
  return named;
}

/// Rows that take 12, 7 and 3 % of the step.
TEST(StepDifference, FindsTwoPercentOfAStepAtOneRowWithSixPairs) {
  for (const std::size_t at : {0, 4, 12}) {
    TwoSteps steps;
    steps.head[at].self_ns += 0.02 * 9.3e6;
    EXPECT_GE(times_found(steps, steps.head[at].name, +1), runs * 95 / 100) << steps.head[at].name;
  }
}

TEST(StepDifference, FindsARowThatBecameFaster) {
  TwoSteps steps;
  steps.head[4].self_ns -= 0.02 * 9.3e6;
  EXPECT_GE(times_found(steps, "aten::op4", -1), runs * 95 / 100);
}

TEST(StepDifference, NamesNothingWhereNothingChanged) {
  EXPECT_LE(times_anything_is_named({}), runs * 5 / 100);
  EXPECT_LE(times_anything_is_named({.interrupted = 0}), runs * 5 / 100) << "normal noise";
  EXPECT_LE(times_anything_is_named({.least_row = 0.002, .most_row = 0.1}), runs * 5 / 100) << "rows of unlike noise";
}

/// A step in one call has a few small rows in common with the same step operator by operator. What those differ by is
/// no speed of the machine, and the others are not scaled by it.
TEST(StepDifference, RowsOfASmallPartOfTheStepTellNoSpeed) {
  TwoSteps steps;
  SimulatedSite package = steps.base.front();
  package.name = "package::run";
  package.function = "Package::run";
  package.self_ns = 7e6;
  steps.base.assign(1, package);
  SimulatedSite common = package;
  common.name = "aten::detach";
  common.function = "log_step";
  common.self_ns = 0.1e6;
  steps.base.push_back(common);
  common.self_ns = 0.01e6;
  steps.head.push_back(common);
  const StepDifference difference = step_difference(measured(steps, 5));
  EXPECT_FALSE(difference.alike.differs);
  ASSERT_FALSE(difference.rows.empty());
  const auto most = std::ranges::max_element(difference.rows, {}, &DifferenceRow::difference_ns);
  EXPECT_LT(most->difference_ns, 1.5e6) << "the largest row takes 12 % of 9.3 ms";
}

TEST(StepDifference, ACommonFactorIsNoRow) {
  TwoSteps steps;
  for (SimulatedSite& site : steps.head) site.self_ns *= 1.1;
  SimulatedMachine machine(3, {.machine = 0.01});
  const StepDifference difference = step_difference(measured(steps, machine));
  EXPECT_THAT(difference.rows, IsEmpty());
  EXPECT_TRUE(difference.alike.differs);
  EXPECT_NEAR(difference.alike.ratio, 1.1, 0.02);
  EXPECT_NEAR(difference.alike_ns, 0.93e6, 0.2e6);
  EXPECT_NEAR(difference.rest_ns, 0, 0.1e6);
}

TEST(StepDifference, ListsNewWorkFirstAndWithFewPairsToo) {
  TwoSteps steps;
  steps.head[0].self_ns *= 2;
  steps.head.push_back({"forward", "aten::item", "Model::part2", 17, 1000.0});
  const StepDifference difference = step_difference(measured(steps, 1));
  ASSERT_EQ(difference.rows.size(), 2U);
  EXPECT_EQ(difference.rows[0].name, "aten::item");
  EXPECT_EQ(difference.rows[0].change, WorkChange::added);
  EXPECT_EQ(difference.rows[0].at->line, 17);
  EXPECT_FALSE(difference.rows[0].p_value);
  EXPECT_EQ(difference.rows[1].name, "aten::op0");
  EXPECT_EQ(difference.rows[1].change, WorkChange::none);
  EXPECT_LT(*difference.rows[1].p_value, 0.02);

  EXPECT_THAT(step_difference(measured(steps, 1, 2)).rows, ElementsAre(Field(&DifferenceRow::name, "aten::item")));
}

TEST(StepDifference, SaysWhatIsDifferentAboutTheTensors) {
  TwoSteps steps;
  steps.head[5].dtype = "float64";
  steps.head[5].bytes *= 2;
  const StepDifference difference = step_difference(measured(steps, 1));
  ASSERT_THAT(difference.rows, Contains(Field(&DifferenceRow::name, "aten::op5")));
  EXPECT_EQ(difference.rows[0].change, WorkChange::more);
  EXPECT_THAT(difference.rows[0].operands, ElementsAre("input 0: float32 -> float64"));
}

TEST(StepDifference, AddsUpToWhatTimedPairsFound) {
  TwoSteps steps;
  steps.head[5].self_ns += 191'000;
  DifferenceInput input = measured(steps, 5);
  input.timed = TimedChange{.step_ns = 9.3e6, .change_ns = 205'000};
  const StepDifference difference = step_difference(input);
  EXPECT_TRUE(difference.total_measured);
  EXPECT_DOUBLE_EQ(difference.total_ns, 205'000);
  EXPECT_NEAR(difference.explained_ns, 191'000, 40'000);
  double sum = difference.alike_ns + difference.rest_ns;
  for (const DifferenceRow& row : difference.rows) sum += row.difference_ns;
  EXPECT_NEAR(sum, 205'000, 1e-3);
}

/// A timed step of half the time that the observed processes took.
TEST(StepDifference, SpeaksInTheTimeOfTheTimedPairs) {
  TwoSteps steps;
  steps.head[5].self_ns += 400'000;
  DifferenceInput input = measured(steps, SimulatedMachine(5, {.machine = 0.001}));
  input.timed = TimedChange{.step_ns = 4.65e6, .change_ns = 200'000};
  EXPECT_NEAR(step_difference(input).explained_ns, 200'000, 30'000);
}

TEST(StepDifference, TakesOffWhatObservingTheFurtherCallsCost) {
  TwoSteps steps;
  steps.head[5].calls += 100;
  steps.head[5].self_ns += 150'000;
  const auto with_observer = [&](double ns_a_call) {
    DifferenceInput input = measured(steps, SimulatedMachine(5, {.machine = 0.001}));
    for (auto* side : {&input.base, &input.head}) {
      for (ProfileRun& run : *side) {
        double calls = 0;
        for (const OperatorSite& site : run.observed->sites) calls += static_cast<double>(site.calls);
        run.unobserved_wall_ns -= static_cast<std::int64_t>(ns_a_call * calls);
      }
    }
    return step_difference(input);
  };
  EXPECT_NEAR(with_observer(1000).observer_ns_a_call, 1000, 1);
  EXPECT_NEAR(with_observer(0).rows.front().difference_ns - with_observer(1000).rows.front().difference_ns, 100'000,
              2'000);
  EXPECT_DOUBLE_EQ(with_observer(3000).rows.front().difference_ns, 0) << "further calls save no time";
}

TEST(StepDifference, CountsThatVaryByThemselvesAreNoChange) {
  TwoSteps steps;
  DifferenceInput input = measured(steps, 5);
  for (std::size_t i = 0; i < input.head.size(); ++i) {
    input.base[i].observed->sites[9].calls += static_cast<std::int64_t>(i % 3);
    input.head[i].observed->sites[9].calls += static_cast<std::int64_t>((i + 1) % 3);
  }
  EXPECT_THAT(step_difference(input).rows, IsEmpty());
}

/// Half a step more in the loader's workers, while the step takes as long as before.
TEST(StepDifference, LeavesOutOperatorsOfTheLoader) {
  TwoSteps steps;
  steps.base.push_back({.boundary = "data_wait", .name = "aten::stack", .function = "Lines::get", .self_ns = 1e6});
  steps.head.push_back({.boundary = "data_wait", .name = "aten::stack", .function = "Lines::get", .self_ns = 1e6});
  EXPECT_THAT(step_difference(measured(steps, 5)).notes, IsEmpty());
  steps.head.back().calls += 2;
  steps.head.back().self_ns = 5.6e6;
  const StepDifference difference = step_difference(measured(steps, 5));
  EXPECT_THAT(difference.rows, IsEmpty());
  EXPECT_LT(difference.total_ns, 2e6);
  EXPECT_THAT(difference.notes, ElementsAre(testing::StartsWith("the loader's operators changed")));
}

TEST(StepDifference, RefusesHalvesOfPairs) {
  DifferenceInput input = measured(TwoSteps{}, 1);
  input.head.pop_back();
  EXPECT_THROW(step_difference(input), std::domain_error);
  EXPECT_THROW(step_difference({}), std::domain_error);
}

}  // namespace
}  // namespace stepgate

#include "judge/verdict/varying_half.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

/// The exact half of a case whose losses the policy declares to vary.
struct VaryingCase {
  ExampleCase example = example_case();
  std::optional<CaseValues> interleaved_base = {};

  VaryingCase() {
    example.judge_timed = false;
    example.policy.varying = {{"example/*", {"loss", "grad_norm"}, "threads"}};
    example.portable.numerics.reset();
  }
  Comparison input() const {
    Comparison made;
    made.current = example.values;
    if (example.has_portable) made.exact = example.portable;
    made.policy = example.policy;
    made.hypotheses = 5;
    made.judge_timed = false;
    made.reference = PairedReference{.interleaved = interleaved_base};
    return made;
  }
  CaseVerdict judge() const { return judge_case(input()); }
  /// `count` processes with losses from `first` on, 0.01 apart.
  static CaseValues processes(CaseValues values, std::size_t count, double first) {
    const NumericTrace trace = values.numerics.front();
    values.numerics.assign(count, trace);
    for (std::size_t i = 0; i < count; ++i)
      for (double& loss : values.numerics[i].loss) loss = first + 0.01 * static_cast<double>(i);
    return values;
  }
};

TEST(VaryingHalf, IsNotJudgedAgainstAFile) {
  VaryingCase varying;
  varying.example.values.numerics[1].loss[0] = 99;
  const CaseVerdict verdict = varying.judge();
  EXPECT_EQ(verdict.status, Status::pass) << "by its counts";
  EXPECT_EQ(verdict_on(verdict, "loss").status, Status::not_judged);
  EXPECT_EQ(name_of(verdict_on(verdict, "loss").reason), "varying");
  EXPECT_EQ(name_of(verdict_on(verdict, "grad_norm").reason), "varying");
  varying.example.portable.numerics = varying.example.values.numerics.front();  // accepted before the entry was made
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "varying");
}

TEST(VaryingHalf, OtherCasesAreJudgedAsBefore) {
  VaryingCase varying;
  varying.example.values.numerics[1].loss[0] = 99;
  varying.example.portable.numerics = varying.example.values.numerics.front();
  varying.example.policy.varying = {{"other/*", {"loss"}, "threads"}};
  EXPECT_EQ(varying.judge().status, Status::regressed);
}

TEST(VaryingHalf, AValueThatIsNotFiniteStaysRed) {
  VaryingCase varying;
  varying.example.values.numerics[1].loss[3] = std::nan("");
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "non-finite");
}

TEST(VaryingHalf, WhatTheBaseBuildMeasuresAndTheHeadDoesNotFails) {
  VaryingCase varying;
  varying.example.policy.varying = {
      {"*", {"loss", "grad_norm", "host_syncs_per_step", "peak_reserved_bytes"}, "races"}};
  varying.interleaved_base = varying.example.values;
  varying.interleaved_base->exact["host_syncs_per_step"] = {{3, 3}, {3, 4}};
  varying.interleaved_base->bytes["peak_reserved_bytes"] = {8192, 4096};
  for (NumericTrace& trace : varying.example.values.numerics) trace.grad_norm.clear();
  const CaseVerdict verdict = varying.judge();
  EXPECT_EQ(verdict.status, Status::failed) << "no stored file has them, but the base build does";
  for (const char* metric : {"host_syncs_per_step", "peak_reserved_bytes", "grad_norm"}) {
    EXPECT_EQ(name_of(verdict_on(verdict, metric).reason), "metric-missing") << metric;
  }
}

TEST(VaryingHalf, ALeakStaysRed) {
  VaryingCase varying;
  varying.example.policy.varying = {{"*", {"leak_bytes_per_step"}, "threads"}};
  varying.example.values.bytes["leak_bytes_per_step"] = {0, 64};
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "leak_bytes_per_step").reason), "varying");
  varying.example.values.bytes["leak_bytes_per_step"] = {32, 64};
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "leak_bytes_per_step").reason), "leak");
  varying.interleaved_base = varying.example.values;
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "leak_bytes_per_step").reason), "varying") << "the base leaks as much";
}

TEST(VaryingHalf, ABudgetStaysRed) {
  VaryingCase varying;
  varying.example.policy.varying = {{"*", {"*"}, "threads"}};
  varying.example.policy.budgets = {{"peak_allocated_bytes", 100}};
  EXPECT_EQ(varying.judge().status, Status::regressed);
  EXPECT_EQ(name_of(varying.judge().reason), "over-budget");
}

TEST(VaryingHalf, ACaseWithNothingElseNeverPasses) {
  VaryingCase varying;
  varying.example.policy.varying = {{"*", {"*"}, "threads"}};
  const CaseVerdict verdict = varying.judge();
  EXPECT_EQ(verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(verdict.reason), "nothing-judged");
  EXPECT_THAT(verdict.detail, HasSubstr("judged in A/B only"));
}

TEST(VaryingHalf, WithoutABaselineTheCaseStillNeedsOne) {
  VaryingCase varying;
  varying.example.has_portable = false;
  EXPECT_EQ(varying.judge().status, Status::no_baseline);
}

TEST(VaryingHalf, InterleavedProcessesAreJudgedByTheirRange) {
  VaryingCase varying;
  const std::int64_t needed = processes_to_judge_varying(varying.input());
  const auto count = static_cast<std::size_t>(needed);
  varying.interleaved_base = VaryingCase::processes(varying.example.values, count, 2.0);
  varying.example.values = VaryingCase::processes(varying.example.values, count, 3.0);
  EXPECT_EQ(verdict_on(varying.judge(), "loss").status, Status::regressed);
  EXPECT_EQ(verdict_on(varying.judge(), "grad_norm").status, Status::not_judged) << "equal on both sides";
  varying.example.values = VaryingCase::processes(varying.example.values, count, 2.0);
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "varying");
}

/// No entry in a policy: the numerics pass named an operator.
struct OperatorCase : VaryingCase {
  OperatorCase() {
    example.policy.varying.clear();
    example.values.numerics[0].nondeterministic_operators = {"put_"};
  }
};

TEST(VaryingHalf, WhatABaselineLeftOutBecauseOfAnOperatorIsNotJudgedAgainstIt) {
  OperatorCase varying;
  NumericTrace stored = varying.example.values.numerics.front();
  stored.loss.clear();
  stored.loss_digest = stored.parameter_digest = "";
  varying.example.portable.numerics = stored;
  varying.example.values.numerics[1].loss[0] = 99;
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "varying");
  EXPECT_EQ(verdict_on(varying.judge(), "grad_norm").status, Status::pass) << "it is in the baseline";
  varying.example.portable.numerics->nondeterministic_operators.clear();
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "new-metric") << "another reason to lack it";
}

TEST(VaryingHalf, AnOperatorThatMakesTheBaseVaryIsJudgedByRanges) {
  OperatorCase varying;
  const CaseValues values = varying.example.values;
  varying.interleaved_base = VaryingCase::processes(values, 2, 2.0);
  const std::int64_t needed = processes_to_judge_varying(varying.input());
  EXPECT_EQ(needed, 5) << "one loss, two-sided: 2 / 252 <= 1 %";
  varying.interleaved_base = VaryingCase::processes(values, static_cast<std::size_t>(needed), 2.0);
  varying.example.values = VaryingCase::processes(values, static_cast<std::size_t>(needed), 3.0);
  EXPECT_EQ(verdict_on(varying.judge(), "loss").status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "outside-range");
  varying.example.values = VaryingCase::processes(values, static_cast<std::size_t>(needed), 2.0);
  EXPECT_EQ(name_of(verdict_on(varying.judge(), "loss").reason), "varying");
}

TEST(VaryingHalf, ABaseWhoseProcessesAgreeIsComparedStepByStep) {
  OperatorCase varying;
  varying.interleaved_base = varying.example.values;
  EXPECT_EQ(processes_to_judge_varying(varying.input()), 0);
  for (NumericTrace& trace : varying.interleaved_base->numerics) trace.nondeterministic_operators.clear();
  varying.interleaved_base->numerics[1].loss[0] = 99;
  EXPECT_EQ(processes_to_judge_varying(varying.input()), 0) << "no operator explains it";
}

TEST(VaryingHalf, ASuiteNeedsMoreProcessesThanACase) {
  VaryingCase varying;
  Comparison input = varying.input();
  // Two losses, two-sided: 2 / C(2n, n) <= 5 % / M.
  EXPECT_EQ(processes_to_judge_varying(input), 5) << "2 / 252 <= 1 %, 2 / 70 > 1 %";
  input.hypotheses = 100;
  EXPECT_EQ(processes_to_judge_varying(input), 8);
  input.policy.varying.clear();
  EXPECT_EQ(processes_to_judge_varying(input), 0);
}

TEST(VaryingHalf, ManyVaryingMetricsShareTheirCasesPart) {
  VaryingCase varying;
  Comparison input = varying.input();
  const std::int64_t few = processes_to_judge_varying(input);
  input.policy.varying = {{"*", {"*"}, "threads"}};
  EXPECT_GT(processes_to_judge_varying(input), few);
}

}  // namespace
}  // namespace stepgate

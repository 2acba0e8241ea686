#include "baseline/limits/policy_limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "baseline/limits/told_changes.h"

namespace stepgate {
namespace {

LimitLines changes_by(const std::function<void(Policy& base, Policy& head)>& change) {
  Policy base, head;
  change(base, head);
  return told(policy_changes({.suite = "toys", .base = base, .head = head, .cases = {"toys/a/one", "toys/b/two"}}));
}

LimitLines changes_by(const std::function<void(Policy& head)>& change) {
  return changes_by([&](Policy&, Policy& head) { change(head); });
}

TEST(PolicyLimits, SaysNothingOfEqualPolicies) {
  EXPECT_EQ(changes_by([](Policy&) {}), LimitLines{});
}

struct Mutation {
  std::function<void(Policy&)> change;
  std::string line;
};

TEST(PolicyLimits, EveryNumberHasItsDirection) {
  const std::vector<Mutation> table = {
      {[](Policy& p) { p.margins.ignore = 999; }, "loosened policy toys margins.ignore 0.01 -> 999"},
      {[](Policy& p) { p.margins.matter = 0.04; }, "tightened policy toys margins.matter 0.05 -> 0.04"},
      {[](Policy& p) { p.alpha = 0.01; }, "loosened policy toys alpha 0.05 -> 0.01"},
      {[](Policy& p) { p.alpha = 0.1; }, "tightened policy toys alpha 0.05 -> 0.1"},
      {[](Policy& p) { p.beta = 0.4; }, "loosened policy toys beta 0.05 -> 0.4"},
      {[](Policy& p) { p.prior_spread = 0.5; }, "changed policy toys prior_spread 0.02 -> 0.5"},
      {[](Policy& p) { p.prior_weight = 40; }, "changed policy toys prior_weight 4 -> 40"},
      {[](Policy& p) { p.session_gap_s = 0; }, "changed policy toys session_gap_s 1800 -> 0"},
      {[](Policy& p) { p.confirmed_sessions = 50; }, "loosened policy toys confirmed_sessions 5 -> 50"},
      {[](Policy& p) { p.coarse_limit = 2; }, "loosened policy toys coarse_limit 0.25 -> 2"},
      {[](Policy& p) { p.min_clean_replicates = 1; }, "loosened policy toys min_clean_replicates 3 -> 1"},
      {[](Policy& p) { p.bytes_tolerance = 4096; }, "loosened policy toys bytes_tolerance 0 -> 4096"},
      {[](Policy& p) { p.bytes_relative_tolerance = 1; }, "loosened policy toys bytes_relative_tolerance 0 -> 1"},
      {[](Policy& p) { p.loss_rtol = 1; }, "loosened policy toys loss_rtol 0.0001 -> 1"},
      {[](Policy& p) { p.loss_atol = 0; }, "tightened policy toys loss_atol 1e-06 -> 0"},
      {[](Policy& p) { p.grad_norm_rtol = 0.1; }, "loosened policy toys grad_norm_rtol 0.001 -> 0.1"},
      {[](Policy& p) { p.low_precision_rtol = 0.1; }, "loosened policy toys low_precision_rtol 0.0005 -> 0.1"},
      {[](Policy& p) { p.final_loss_margins.matter = 9; }, "loosened policy toys final_loss_margins.matter 0.05 -> 9"},
      {[](Policy& p) { p.numeric_steps = 1; }, "loosened policy toys numeric_steps 21 -> 1"},
      {[](Policy& p) { p.exact_tolerance["operators_per_step"] = 1'000'000; },
       "loosened policy toys exact_tolerance.operators_per_step 0 -> 1000000"},
      {[](Policy& p) { p.taint_limits[EvidenceKey::steal_fraction] = 0.5; },
       "loosened policy toys taint_limits.steal_fraction 0.01 -> 0.5"},
      {[](Policy& p) { p.taint_limits[EvidenceKey::major_faults] = 10; },
       "tightened policy toys taint_limits.major_faults none -> 10"},
      {[](Policy& p) { p.budgets["first_step_ns"] = 2e9; },
       "tightened policy toys budgets.first_step_ns none -> 2000000000 (in 2 cases: toys/a/one, toys/b/two)"},
      {[](Policy& p) { p.peak_tflop_per_s["h200"]["float32"] = 67; },
       "changed policy toys peak_tflop_per_s.h200.float32 none -> 67"},
      {[](Policy& p) { p.loosening = LooseningRule::needs_consent; },
       "tightened policy toys loosening shown -> needs_consent"},
  };
  for (const Mutation& mutation : table) EXPECT_EQ(changes_by(mutation.change), LimitLines{mutation.line});
}

TEST(PolicyLimits, AnOwnMarginIsComparedWithWhatHoldsWithoutOne) {
  EXPECT_EQ(changes_by([](Policy& head) { head.metric_margins["first_step_ns"] = {.ignore = 0.1, .matter = 0.3}; }),
            LimitLines{});
  EXPECT_EQ(changes_by([](Policy& head) { head.metric_margins["first_step_ns"] = {.ignore = 0.05, .matter = 0.5}; }),
            (LimitLines{"tightened policy toys metric_margins.first_step_ns.ignore 0.1 -> 0.05",
                        "loosened policy toys metric_margins.first_step_ns.matter 0.3 -> 0.5"}));
  const auto removed = [](Policy& base, Policy&) {
    base.metric_margins["step_time_ns"] = {.ignore = 0.005, .matter = 0.02};
  };
  EXPECT_EQ(changes_by(removed), (LimitLines{"loosened policy toys metric_margins.step_time_ns.ignore 0.005 -> 0.01",
                                             "loosened policy toys metric_margins.step_time_ns.matter 0.02 -> 0.05"}));
}

TEST(PolicyLimits, AMetricThatNeedNotBeDecidedIsLooser) {
  const auto other = [](Policy& base, Policy& head) {
    base.must_decide = {"first_step_ns"};
    head.must_decide = {"loader_samples_per_s"};
  };
  EXPECT_EQ(changes_by(other),
            (LimitLines{"loosened policy toys must_decide.first_step_ns must be decided -> may stay open",
                        "tightened policy toys must_decide.loader_samples_per_s may stay open -> must be decided"}));
}

TEST(PolicyLimits, ABudgetIsLooserWhereItHoldsForFewerCases) {
  const auto limited = [](Policy& base, Policy& head) {
    base.budgets["first_step_ns"] = head.budgets["first_step_ns"] = 2e9;
    head.budget_cases["first_step_ns"] = {"toys/b/*"};
  };
  EXPECT_EQ(changes_by(limited),
            LimitLines{"loosened policy toys budgets.first_step_ns 2000000000 -> none (in toys/a/one)"});
}

TEST(PolicyLimits, AMetricThatVariesIsNoLongerJudgedInTheCasesThatThePatternNames) {
  const auto declared = [](Policy& head) {
    head.varying = {{.cases = "toys/*", .metrics = {"loss", "grad_norm"}, .reason = "two threads"}};
  };
  EXPECT_EQ(changes_by(declared),
            (LimitLines{"loosened varying toys varying.grad_norm judged -> varies (in 2 cases: toys/a/one, toys/b/two)",
                        "loosened varying toys varying.loss judged -> varies (in 2 cases: toys/a/one, toys/b/two)"}));
  const auto narrowed = [](Policy& base, Policy& head) {
    base.varying = {{.cases = "*", .metrics = {"loss"}, .reason = "two threads"}};
    head.varying = {{.cases = "toys/a/*", .metrics = {"loss"}, .reason = "two threads"}};
  };
  EXPECT_EQ(changes_by(narrowed), LimitLines{"tightened varying toys varying.loss varies -> judged (in toys/b/two)"});
}

Waiver waiver(const std::string& until) { return {"toys/a/one", "operators_per_step", "jane", until, "next week"}; }

TEST(PolicyLimits, AWaiverIsLooserTheLongerItHolds) {
  EXPECT_EQ(
      changes_by([](Policy& head) { head.waivers = {waiver("2026-12-31")}; }),
      LimitLines{"loosened waiver toys/a/one waivers.operators_per_step none -> until 2026-12-31 (jane: next week)"});
  const auto longer = [](Policy& base, Policy& head) {
    base.waivers = {waiver("2026-12-01")};
    head.waivers = {waiver("2026-12-01"), waiver("2027-01-31")};
  };
  EXPECT_EQ(changes_by(longer),
            LimitLines{"loosened waiver toys/a/one waivers.operators_per_step until 2026-12-01 -> until "
                       "2027-01-31 (jane: next week)"});
  const auto removed = [](Policy& base, Policy&) { base.waivers = {waiver("2026-12-01")}; };
  EXPECT_EQ(changes_by(removed),
            LimitLines{"tightened waiver toys/a/one waivers.operators_per_step until 2026-12-01 -> none "
                       "(jane: next week)"});
}

TEST(PolicyLimits, AConsentThatIsNoLongerNeededIsLooser) {
  const auto dropped = [](Policy& base, Policy&) { base.loosening = LooseningRule::needs_consent; };
  EXPECT_EQ(changes_by(dropped), LimitLines{"loosened policy toys loosening needs_consent -> shown"});
}

CaseLimit limit_of(const std::string& cases, const std::string& metric, double value) {
  return {.cases = cases, .metric = metric, .value = value};
}

TEST(PolicyLimits, ALowerFloorAndAHigherBudgetAreLooser) {
  const auto lowered = [](Policy& base, Policy& head) {
    base.floors = {limit_of("toys/*", "samples_per_s", 4000)};
    head.floors = {limit_of("toys/*", "samples_per_s", 4000), limit_of("toys/b/*", "samples_per_s", 5000)};
    base.case_budgets = {limit_of("toys/a/*", "step_time_ns", 1e6)};
    head.case_budgets = {limit_of("toys/a/*", "step_time_ns", 2e6)};
  };
  EXPECT_EQ(changes_by(lowered),
            (LimitLines{"tightened policy toys floors.samples_per_s 4000 -> 5000 (in toys/b/two)",
                        "loosened policy toys case_budgets.step_time_ns 1000000 -> 2000000 (in toys/a/one)"}));
  const auto removed = [](Policy& base, Policy&) {
    base.floors = {limit_of("toys/*", "samples_per_s", 4000)};
    base.floors[0].runner_class = "h200-16c";
  };
  EXPECT_EQ(changes_by(removed),
            LimitLines{"loosened policy toys floors.samples_per_s on h200-16c 4000 -> none (in 2 cases: toys/a/one, "
                       "toys/b/two)"});
}

TEST(PolicyLimits, ATargetLetsNothingPass) {
  EXPECT_EQ(changes_by([](Policy& head) { head.targets = {limit_of("toys/a/one", "samples_per_s", 4000)}; }),
            LimitLines{"changed policy toys targets.samples_per_s none -> 4000 (in toys/a/one)"});
}

TEST(PolicyLimits, ARateThatGatesNoLongerIsLooser) {
  const auto narrowed = [](Policy& base, Policy& head) {
    base.gating_rates = {{"samples_per_s", {"*"}}};
    head.gating_rates = {{"samples_per_s", {"toys/a/*"}}, {"mfu_ratio", {"toys/a/*"}}};
  };
  EXPECT_EQ(changes_by(narrowed),
            (LimitLines{"tightened policy toys gating_rates.mfu_ratio explains -> gates (in toys/a/one)",
                        "loosened policy toys gating_rates.samples_per_s gates -> explains (in toys/b/two)"}));
}

}  // namespace
}  // namespace stepgate

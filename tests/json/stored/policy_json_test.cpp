#include "json/stored/policy_json.h"

#include "json/expect_error.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

std::string policy_with(const std::string& keys) {
  return R"({"schema": {"name": "stepgate.policy", "major": 1, "minor": 0})" + (keys.empty() ? "" : ", " + keys) + "}";
}

Policy read(const std::string& keys) { return policy_from_text(policy_with(keys), "policy.json"); }

TEST(PolicyJson, GivesTheDefaultsWhereNothingIsSaid) { EXPECT_EQ(to_text(read("")), to_text(Policy{})); }

TEST(PolicyJson, KeepsEveryField) {
  const Policy before = sample_policy();
  const Policy after = policy_from_text(to_text(before), "policy.json");
  EXPECT_EQ(after.margins.ignore, 0.02);
  EXPECT_EQ(after.margins.matter, 0.06);
  ASSERT_EQ(after.metric_margins.size(), 1u);
  EXPECT_EQ(after.metric_margins.at("first_step_ns").ignore, 0.05);
  EXPECT_EQ(after.metric_margins.at("first_step_ns").matter, 0.2);
  EXPECT_EQ(after.alpha, before.alpha);
  EXPECT_EQ(after.beta, before.beta);
  EXPECT_EQ(after.prior_spread, before.prior_spread);
  EXPECT_EQ(after.prior_weight, before.prior_weight);
  EXPECT_EQ(after.session_gap_s, before.session_gap_s);
  EXPECT_EQ(after.confirmed_sessions, before.confirmed_sessions);
  EXPECT_EQ(after.coarse_limit, before.coarse_limit);
  EXPECT_EQ(after.min_clean_replicates, before.min_clean_replicates);
  EXPECT_EQ(after.exact_tolerance, before.exact_tolerance);
  EXPECT_EQ(after.bytes_tolerance, before.bytes_tolerance);
  EXPECT_EQ(after.bytes_relative_tolerance, before.bytes_relative_tolerance);
  EXPECT_EQ(after.loss_rtol, before.loss_rtol);
  EXPECT_EQ(after.loss_atol, before.loss_atol);
  EXPECT_EQ(after.grad_norm_rtol, before.grad_norm_rtol);
  EXPECT_EQ(after.low_precision_rtol, before.low_precision_rtol);
  EXPECT_EQ(after.final_loss_margins.ignore, before.final_loss_margins.ignore);
  EXPECT_EQ(after.final_loss_margins.matter, before.final_loss_margins.matter);
  EXPECT_EQ(after.numeric_steps, before.numeric_steps);
  EXPECT_EQ(after.taint_limits, before.taint_limits);
  EXPECT_EQ(after.budgets, before.budgets);
  EXPECT_EQ(after.budget_cases, before.budget_cases);
  ASSERT_EQ(after.floors.size(), 2U);
  EXPECT_EQ(after.floors[0].cases, "language/*");
  EXPECT_EQ(after.floors[0].metric, "samples_per_s");
  EXPECT_EQ(after.floors[0].value, 4000);
  EXPECT_EQ(after.floors[0].runner_class, "h200-16c");
  EXPECT_EQ(after.floors[1].runner_class, "");
  ASSERT_EQ(after.case_budgets.size(), 1U);
  EXPECT_EQ(after.case_budgets[0].value, 2e7);
  ASSERT_EQ(after.targets.size(), 1U);
  EXPECT_EQ(after.targets[0].metric, "step_time_ns");
  EXPECT_EQ(after.gating_rates, before.gating_rates);
  EXPECT_EQ(after.must_decide, before.must_decide);
  ASSERT_EQ(after.varying.size(), 1u);
  EXPECT_EQ(after.varying[0].cases, "language/*");
  EXPECT_EQ(after.varying[0].metrics, before.varying[0].metrics);
  EXPECT_EQ(after.varying[0].reason, before.varying[0].reason);
  EXPECT_EQ(after.loosening, LooseningRule::needs_consent);
  ASSERT_EQ(after.waivers.size(), 1u);
  EXPECT_EQ(after.waivers[0].case_name, before.waivers[0].case_name);
  EXPECT_EQ(after.waivers[0].metric, before.waivers[0].metric);
  EXPECT_EQ(after.waivers[0].owner, "jane");
  EXPECT_EQ(after.waivers[0].until, "2028-02-29");
  EXPECT_EQ(after.waivers[0].reason, before.waivers[0].reason);
}

TEST(PolicyJson, KeepsThePeaksOfARunnerClass) {
  Policy before;
  before.peak_tflop_per_s = {{"h200-16c", {{"bfloat16", 989.5}, {"float32", 67}}}};
  EXPECT_EQ(policy_from_text(to_text(before), "policy.json").peak_tflop_per_s, before.peak_tflop_per_s);
  EXPECT_TRUE(policy_from_text(to_text(Policy{}), "policy.json").peak_tflop_per_s.empty());
}

TEST(PolicyJson, LooseningIsShownByDefault) {
  EXPECT_EQ(read("").loosening, LooseningRule::shown);
  EXPECT_EQ(read(R"("loosening": "shown")").loosening, LooseningRule::shown);
  EXPECT_EQ(read(R"("loosening": "needs_consent")").loosening, LooseningRule::needs_consent);
}

TEST(PolicyJson, AReasonOfOnlyDotsSaysNothing) {
  expect_error([] { read(R"("varying": [{"case": "gan/*", "metrics": ["loss"], "reason": "..."}])"); },
               ErrorKind::usage, {"varying[0].reason", "more than dots"});
  expect_error(
      [] {
        read(
            R"("waivers": [{"case": "a/b/c", "metric": "loss", "owner": "jane", "until": "2028-02-29", "reason": "..."}])");
      },
      ErrorKind::usage, {"waivers[0].reason", "more than dots"});
}

TEST(PolicyJson, MarginsOfOneMetricDefaultToTheSuites) {
  const Policy policy = read(R"("metric_margins": {"first_step_ns": {"matter": 0.2}}, "margins": {"ignore": 0.02})");
  EXPECT_EQ(policy.metric_margins.at("first_step_ns").ignore, 0.02);
  EXPECT_EQ(policy.metric_margins.at("first_step_ns").matter, 0.2);
  EXPECT_EQ(policy.margins.matter, 0.05);
}

struct BadPolicy {
  std::string keys;
  std::string message;
};

TEST(PolicyJson, NamesFileKeyAndRangeOfWhatIsWrong) {
  const std::string waiver = R"("case": "a/b/c", "metric": "loss", "owner": "x", "reason": "y")";
  const std::vector<BadPolicy> table = {
      {R"("margins": {"ignore": 0})", "margins.ignore: expected a number above 0 and at most 1e6, found 0"},
      {R"("margins": {"ignore": 0.05})", "margins: \"matter\" (0.05) must be above \"ignore\" (0.05)"},
      {R"("margins": {"ignor": 0.05})", "margins.ignor: unknown key; did you mean \"ignore\"?"},
      {R"("metric_margins": {"step_time": {}})",
       "metric_margins: unknown metric \"step_time\"; did you mean \"step_time_ns\"?"},
      {R"("metric_margins": {"loss": {}})", "metric_margins: \"loss\" is of tier numeric"},
      {R"("metric_margins": {"step_time_ns": {"matter": 0.001}})", "metric_margins.step_time_ns: \"matter\" (0.001)"},
      {R"("alpha": 0)", "alpha: expected a number between 1e-6 and 0.5"},
      {R"("alpha": 1e-320)", "alpha: expected a number between 1e-6 and 0.5"},
      {R"("alpha": 0.5)", "alpha: expected a number between 1e-6 and 0.5"},
      {R"("loosening": "needs-consent")", "loosening: expected one of shown, needs_consent, found \"needs-consent\""},
      {R"("alpha": "5%")", "alpha: expected a number, found \"5%\""},
      {R"("alpa": 0.01)", "alpa: unknown key; did you mean \"alpha\"?"},
      {R"("beta": 0.7)", "beta: expected a number between 1e-6 and 0.5"},
      {R"("prior_spread": 0)", "prior_spread: expected a number above 0"},
      {R"("prior_weight": -1)", "prior_weight: expected a number above 0"},
      {R"("session_gap_s": -1)", "session_gap_s: expected a number from 0 to 1e6"},
      {R"("confirmed_sessions": 1)", "confirmed_sessions: expected an integer from 2 to 1e6, found 1"},
      {R"("coarse_limit": 0)", "coarse_limit: expected a number above 0"},
      {R"("min_clean_replicates": 0)", "min_clean_replicates: expected an integer from 1 to 1e6, found 0"},
      {R"("min_clean_replicates": 2.5)", "min_clean_replicates: expected an integer, found 2.5"},
      {R"("exact_tolerance": {"operators": 1})", "exact_tolerance: unknown metric \"operators\""},
      {R"("exact_tolerance": {"stream_hazards": 1})",
       "exact_tolerance: \"stream_hazards\" is red above 0, and no tolerance holds: take it out; a known one needs a "
       "waiver"},
      {R"("exact_tolerance": {"kernels_per_step": -1})",
       "exact_tolerance.kernels_per_step: expected an integer from 0 to 2^53"},
      {R"("budgets": {"peak_alocated_bytes": 1})",
       "budgets: unknown metric \"peak_alocated_bytes\"; did you mean \"peak_allocated_bytes\"?"},
      {R"("budgets": {"peak_allocated_bytes": 0})", "budgets.peak_allocated_bytes: expected a number above 0"},
      {R"("budgets": {"step_time_ns": -5})", "budgets.step_time_ns: expected a number above 0"},
      {R"("budgets": {"samples_per_s": 5})", "budgets: \"samples_per_s\" is better when it grows"},
      {R"("budgets": {"loss": 5})", "budgets: \"loss\" is neither better nor worse"},
      {R"("budget_cases": {"checkpoint_bytes": ["a/*"]})", "budget_cases: \"checkpoint_bytes\" has no budget"},
      {R"("budgets": {"checkpoint_bytes": 5}, "budget_cases": {"checkpoint_bytes": []})",
       "budget_cases: \"checkpoint_bytes\" names no case"},
      {R"("budgets": {"checkpoint_bytes": 5}, "budget_cases": {"checkpoint_bytes": [""]})",
       "budget_cases.checkpoint_bytes[0]"},
      {R"("budgets": {"checkpoint_bytes": 5}, "budget_cases": {"checkpoint_byte": ["a/*"]})",
       "budget_cases: unknown metric \"checkpoint_byte\"; did you mean \"checkpoint_bytes\"?"},
      {R"("floors": [{"case": "a/*", "metric": "samples_per_s"}])", "floors[0]: the key \"at_least\" is missing"},
      {R"("floors": [{"case": "a/*", "metric": "samples_per_s", "at_least": 0}])",
       "floors[0].at_least: expected a number above 0"},
      {R"("floors": [{"case": "a/*", "metric": "sample_per_s", "at_least": 1}])",
       "floors[0].metric: unknown metric \"sample_per_s\"; did you mean \"samples_per_s\"?"},
      {R"("floors": [{"case": "a/*", "metric": "step_time_ns", "at_least": 1}])",
       "floors[0].metric: \"step_time_ns\" is better when it falls"},
      {R"("floors": [{"case": "a/*", "metric": "samples_per_s", "at_least": 1, "owner": "x"}])",
       "floors[0].owner: unknown key"},
      {R"("floors": [{"case": "", "metric": "samples_per_s", "at_least": 1}])", "floors[0].case"},
      {R"("floors": {"samples_per_s": 1})", "floors: expected"},
      {R"("case_budgets": [{"case": "a/*", "metric": "mfu_ratio", "at_most": 1}])",
       "case_budgets[0].metric: \"mfu_ratio\" is better when it grows"},
      {R"("targets": [{"case": "a/*", "metric": "samples_per_step", "value": 1}])",
       "targets[0].metric: \"samples_per_step\" is neither better nor worse"},
      {R"("targets": [{"case": "a/*", "metric": "samples_per_s", "at_least": 1}])",
       "targets[0]: the key \"value\" is missing"},
      {R"("gating_rates": {"effective_tokens_per_s": ["*"]})", "gating_rates: \"effective_tokens_per_s\" gates anyway"},
      {R"("gating_rates": {"supply_ratio": ["*"]})", "gating_rates: \"supply_ratio\" is not a function of a time"},
      {R"("gating_rates": {"requests_per_s": ["*"]})",
       "limit it by \"floors\" or \"budgets\", or let \"steps_per_s\" gate"},
      {R"("gating_rates": {"samples_per_s": []})", "gating_rates: \"samples_per_s\" names no case"},
      {R"("gating_rates": {"loss": ["*"]})", "gating_rates: \"loss\" is of tier numeric"},
      {R"("must_decide": ["first_step"])", "must_decide[0]: unknown metric \"first_step\""},
      {R"("must_decide": ["loss"])", "must_decide[0]: \"loss\" is of tier numeric"},
      {R"("must_decide": ["step_time_ns"])", "must_decide[0]: \"step_time_ns\" is decided anyway"},
      {R"("must_decide": ["forward_ns"])", "must_decide[0]: \"forward_ns\" decides nothing"},
      {R"("bytes_tolerance": -1)", "bytes_tolerance: expected an integer from 0 to 2^53"},
      {R"("bytes_tolerance": 9223372036854775807)",
       "bytes_tolerance: expected an integer from -2^53 to 2^53, found 9223372036854775807"},
      {R"("bytes_relative_tolerance": -0.1)", "bytes_relative_tolerance: expected a number from 0 to 1e6"},
      {R"("bytes_relative_tolerance": 1e300)", "bytes_relative_tolerance: expected a number from 0 to 1e6"},
      {R"("coarse_limit": 1e300)", "coarse_limit: expected a number above 0 and at most 1e6"},
      {R"("prior_weight": 1e300)", "prior_weight: expected a number above 0 and at most 1e6"},
      {R"("loss_rtol": -1e-4)", "loss_rtol: expected a number from 0 to 1e6"},
      {R"("loss_atol": -1)", "loss_atol: expected a number from 0 to 1e6"},
      {R"("grad_norm_rtol": -1)", "grad_norm_rtol: expected a number from 0 to 1e6"},
      {R"("low_precision_rtol": -1)", "low_precision_rtol: expected a number from 0 to 1e6"},
      {R"("final_loss_margins": {"ignore": 0.2, "matter": 0.1})",
       "final_loss_margins: \"matter\" (0.1) must be above \"ignore\" (0.2)"},
      {R"("numeric_steps": 0)", "numeric_steps: expected an integer from 1 to 1e6"},
      {R"("taint_limits": {"steal_fraction": 9007199254740993})",
       "taint_limits.steal_fraction: expected a number from 0 to 2^53, found 9007199254740993"},
      {R"("taint_limits": {"steal_fraction": -1})", "taint_limits.steal_fraction: expected a number from 0 to 2^53"},
      {R"("taint_limits": {"steal_fracton": 1})",
       "taint_limits: unknown evidence \"steal_fracton\"; did you mean \"steal_fraction\"?"},
      {R"("varying": [{"case": "*", "metrics": [], "reason": "x"}])",
       "varying[0].metrics: expected the name of a metric"},
      {R"("varying": [{"case": "*", "metrics": ["los"], "reason": "x"}])",
       "varying[0].metrics[0]: unknown metric \"los\"; did you mean \"loss\"?"},
      {R"("varying": [{"case": "*", "metrics": ["step_time_ns"], "reason": "x"}])",
       "varying[0].metrics[0]: \"step_time_ns\" is never judged exactly"},
      {R"("varying": [{"case": "*", "metrics": ["*_ns"], "reason": "x"}])",
       "varying[0].metrics[0]: \"*_ns\" matches no metric"},
      {R"("varying": [{"case": "*", "metrics": ["loss"], "reason": " "}])", "varying[0].reason: expected a text"},
      {R"("varying": [{"case": "*", "metric": "loss", "reason": "x"}])", "the key \"metrics\" is missing"},
      {R"("waivers": [{)" + waiver + "}]", "waivers[0]: the key \"until\" is missing"},
      {R"("waivers": [{)" + waiver + R"(, "until": "2026-02-30"}])", "waivers[0].until: expected a date like"},
      {R"("waivers": [{)" + waiver + R"(, "until": "soon"}])", "waivers[0].until: expected a date like"},
      {R"("waivers": [{)" + waiver + R"(, "until": "2026-1-001"}])", "waivers[0].until: expected a date like"},
      {R"("waivers": [{)" + waiver + R"(, "until": "2026-12-31", "untill": ""}])", "waivers[0].untill: unknown key"},
      {R"("waivers": [{"case": "a", "metric": "loss", "owner": " ", "reason": "y", "until": "2026-12-31"}])",
       "waivers[0].owner: expected a text that is not empty"},
      {R"("waivers": [{"case": "a", "metric": "los", "owner": "x", "reason": "y", "until": "2026-12-31"}])",
       "waivers[0].metric: unknown metric \"los\"; did you mean \"loss\"?"},
      {R"("alpha": 1e999)", "not valid JSON: number overflow"},
  };
  for (const BadPolicy& bad : table) {
    SCOPED_TRACE(bad.keys);
    expect_error([&] { read(bad.keys); }, ErrorKind::usage, {"policy.json:", bad.message});
  }
}

TEST(PolicyJson, NamesTheMetricThatIsMeantByTheNameInReports) {
  expect_error([] { read(R"("budgets": {"peak allocated": 1})"); }, ErrorKind::usage,
               {"unknown metric \"peak allocated\"; did you mean \"peak_allocated_bytes\"?"});
  expect_error([] { read(R"("varying": [{"case": "*", "metrics": ["gradient norm"], "reason": "x"}])"); },
               ErrorKind::usage, {"unknown metric \"gradient norm\"; did you mean \"grad_norm\"?"});
  expect_error([] { read(R"("varying": [{"case": "*", "metrics": ["Grad-Norm"], "reason": "x"}])"); }, ErrorKind::usage,
               {"did you mean \"grad_norm\"?"});
}

TEST(PolicyJson, TheRemedyNamesAPageThatEveryUserCanFind) {
  try {
    read(R"("alpha": 0)");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy().find("schemas/"), std::string::npos);
    EXPECT_NE(error.remedy().find("\"Policy keys\" in docs/design/baselines_and_policy.md of stepgate's documentation"),
              std::string::npos);
  }
}

TEST(PolicyJson, NeedsASchema) {
  expect_error([] { policy_from_text("{}", "policy.json"); }, ErrorKind::usage,
               {"policy.json: the key \"schema\" is missing, so this is not a policy"});
}

}  // namespace
}  // namespace stepgate

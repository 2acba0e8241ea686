// A gate beside a base build says what its tree changes of the limits, and a report of the results repeats it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/limits/told_changes.h"
#include "experiment/gated_build.h"
#include "experiment/results/report_files.h"
#include "json/results/run_report_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A build whose tree has a wider margin than the base, and a baseline that fits what it measures.
class GateLimits : public testing::Test {
 protected:
  GateLimits() : base_(logged_process), head_(logged_process) {
    store_baseline(base_);
    // One acceptance for both trees: a second one would differ where a second passes between them.
    std::filesystem::copy(base_.root() / "baselines", head_.root() / "baselines",
                          std::filesystem::copy_options::recursive);
    Policy loose;
    loose.margins = {.ignore = 0.01, .matter = 999};
    head_.write_policy(loose);
  }

  void ask_for_consent() const {
    Policy strict;
    strict.loosening = LooseningRule::needs_consent;
    base_.write_policy(strict);
  }

  RunReport gate(const std::string& allowed_by = "") {
    GateOptions options = exact_gate(head_);
    options.pairs.base_build = base_.root();
    options.allow_loosening = allowed_by;
    return run_gate(head_.project(), options, listener_.caller()).report;
  }

  RunReport report(const LimitBase& base = {}) {
    return stored_report(head_.project(), {}, listener_.caller(), base).report;
  }

  RunReport of_case() const {
    const auto file = head_.root() / "out" / fake_case / "exact/verdict.json";
    return run_report_from_text(read_text_file(file), file.string());
  }

  FakeBuild base_, head_;
  Listener listener_;
};

constexpr const char* wider = "loosened policy fake margins.matter 0.05 -> 999";

TEST_F(GateLimits, AreShownAndChangeNoStatusByDefault) {
  const RunReport found = gate();
  ASSERT_TRUE(found.limits);
  EXPECT_THAT(told(found.limits->changes), ElementsAre(wider));
  EXPECT_EQ(exit_status(found), 0);
  EXPECT_THAT(told(of_case().limits->changes), ElementsAre(wider));
}

TEST_F(GateLimits, AreRedWithoutTheConsentThatTheBaseAsksFor) {
  ask_for_consent();
  EXPECT_EQ(exit_status(gate()), 1);
  EXPECT_EQ(exit_status(of_case()), 1);
  EXPECT_EQ(exit_status(report()), 1) << "the results say it where no base build is named";
  const RunReport allowed = gate("jane");
  EXPECT_EQ(exit_status(allowed), 0);
  EXPECT_EQ(allowed.limits->allowed_by, "jane");
  EXPECT_EQ(report().limits->allowed_by, "jane");
}

TEST_F(GateLimits, ThePolicyOfTheTreeCannotTakeTheRuleBack) {
  ask_for_consent();
  Policy policy;
  policy.loosening = LooseningRule::shown;
  head_.write_policy(policy);
  const RunReport found = gate();
  EXPECT_THAT(told(found.limits->changes), ElementsAre("loosened policy fake loosening needs_consent -> shown"));
  EXPECT_EQ(exit_status(found), 1);
}

TEST_F(GateLimits, OfTheWholeTreeStayInTheReportOfTheSuite) {
  gate();
  base_.write_manifest(base_.program().path(), "Release", R"(, "timeout_s": 100)");
  const LimitBase base{.build = base_.root()};
  EXPECT_THAT(told(report(base).limits->changes),
              UnorderedElementsAre(wider, "loosened case fake/case/tiny TIMEOUT 100 -> 300"));
  EXPECT_EQ(report().limits->changes.size(), 2u) << "a later report without a base build keeps them";
}

TEST_F(GateLimits, NothingIsComparedWithoutABaseBuild) {
  const RunReport found = run_gate(head_.project(), exact_gate(head_), listener_.caller()).report;
  EXPECT_FALSE(found.limits);
  EXPECT_FALSE(report().limits);
}

TEST_F(GateLimits, EqualTreesAreSilent) {
  head_.write_policy({});
  const RunReport found = gate();
  ASSERT_TRUE(found.limits);
  EXPECT_THAT(told(found.limits->changes), IsEmpty());
  EXPECT_THAT(found.limits->unread, IsEmpty());
}

/// What an exact gate of the fake case, which calls seven operators, says of one limit, and its verdict.json again.
RunReport gate_with(const Policy& policy) {
  const FakeBuild build(logged_process);
  store_baseline(build);
  build.write_policy(policy);
  Listener listener;
  const RunReport found = run_gate(build.project(), exact_gate(build), listener.caller()).report;
  const auto file = build.root() / "out" / fake_case / "exact/verdict.json";
  const RunReport stored = run_report_from_text(read_text_file(file), file.string());
  EXPECT_EQ(exit_status(stored), exit_status(found));
  EXPECT_EQ(stored.outcomes[0].verdict.limits.size(), found.outcomes[0].verdict.limits.size());
  return stored;
}

TEST(LimitsOfACase, ABudgetDecidesItAndATargetDoesNot) {
  Policy policy;
  policy.case_budgets = {{.cases = "fake/*", .metric = "operators_per_step", .value = 7}};
  policy.targets = {{.cases = "fake/*", .metric = "operators_per_step", .value = 6}};
  const RunReport met = gate_with(policy);
  EXPECT_EQ(exit_status(met), 0);
  const std::vector<LimitVerdict>& limits = met.outcomes[0].verdict.limits;
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0].outcome, LimitOutcome::met);
  EXPECT_EQ(limits[1].outcome, LimitOutcome::missed);
  policy.case_budgets[0].value = 6;
  const RunReport missed = gate_with(policy);
  EXPECT_EQ(exit_status(missed), 1);
  EXPECT_EQ(name_of(missed.outcomes[0].verdict.reason), "over-budget");
}

TEST(LimitsOfACase, HoldOnTheRunnerClassThatTheyName) {
  Policy policy;
  policy.case_budgets = {{.cases = "fake/*", .metric = "operators_per_step", .value = 6, .runner_class = "h200-16c"}};
  const RunReport elsewhere = gate_with(policy);
  EXPECT_EQ(exit_status(elsewhere), 0);
  EXPECT_TRUE(elsewhere.outcomes[0].verdict.limits.empty());
}

}  // namespace
}  // namespace stepgate

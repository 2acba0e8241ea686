#include "baseline/limits/limit_changes.h"

#include <gtest/gtest.h>

#include "baseline/limits/told_changes.h"
#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

constexpr const char* sample_file = "portable/suite/case_one/tiny.json";

ManifestCase named(const std::string& name) { return {.name = name, .suite = "suite", .program = "train"}; }

TreeLimits sample_limits() {
  return {.policies = {{"suite", Policy{}}},
          .cases = {named("suite/case_one/tiny"), named("suite/case_two/tiny")},
          .baselines = {{sample_file, portable_sample()}}};
}

TEST(LimitChanges, SaysNothingOfEqualTrees) {
  EXPECT_EQ(told(limit_changes(sample_limits(), sample_limits())), LimitLines{});
}

TEST(LimitChanges, WhatWasEditedByHandComesFirstAndWhatIsTightenedLast) {
  TreeLimits head = sample_limits();
  head.policies["suite"].margins = {.ignore = 0.005, .matter = 999};
  head.policies["suite"].prior_weight = 5;
  head.cases.pop_back();
  head.cases.push_back(named("suite/case_three/tiny"));
  head.baselines[sample_file].exact["operators_per_step"] = {413, 413};
  EXPECT_EQ(
      told(limit_changes(sample_limits(), head)),
      (LimitLines{"edited by hand baseline portable/suite/case_one/tiny.json (operators_per_step 412 -> 413 (+0.24 %))",
                  "removed case suite/case_two/tiny", "loosened policy suite margins.matter 0.05 -> 999",
                  "changed policy suite prior_weight 4 -> 5", "tightened policy suite margins.ignore 0.01 -> 0.005",
                  "added case suite/case_three/tiny"}));
}

TEST(LimitChanges, TheBaselineOfARemovedCaseIsNotNamedAgain) {
  TreeLimits head = sample_limits();
  head.cases.erase(head.cases.begin());
  head.baselines.clear();
  EXPECT_EQ(told(limit_changes(sample_limits(), head)), LimitLines{"removed case suite/case_one/tiny"});
}

TEST(LimitChanges, ADeclarationCanBeLooser) {
  TreeLimits head = sample_limits();
  head.cases[0].gates_times = false;
  head.cases[1].timeout_s = 900;
  EXPECT_EQ(told(limit_changes(sample_limits(), head)),
            (LimitLines{"loosened case suite/case_one/tiny TIERS exact and timed -> exact",
                        "loosened case suite/case_two/tiny TIMEOUT 300 -> 900"}));
}

TEST(LimitChanges, ANewSuiteIsNoLooserLimit) {
  TreeLimits head = sample_limits();
  head.policies["other"].margins.matter = 999;
  head.policies["other"].waivers = {{"other/a/b", "loss", "jane", "2026-12-31", "new"}};
  EXPECT_EQ(told(limit_changes(sample_limits(), head)), LimitLines{});
}

TEST(LimitChanges, ThePolicyOfTheBaseAsksForConsent) {
  TreeLimits base = sample_limits(), head = sample_limits();
  head.policies["suite"].loosening = LooseningRule::needs_consent;
  head.policies["suite"].beta = 0.4;
  for (const LimitChange& change : limit_changes(base, head)) EXPECT_FALSE(change.needs_consent) << told(change);

  base.policies["suite"].loosening = LooseningRule::needs_consent;
  head = sample_limits();
  head.policies["suite"].beta = 0.4;
  head.policies["suite"].margins.ignore = 0.005;
  const auto changes = limit_changes(base, head);
  EXPECT_EQ(told(changes), (LimitLines{"loosened policy suite beta 0.05 -> 0.4",
                                       "loosened policy suite loosening needs_consent -> shown",
                                       "tightened policy suite margins.ignore 0.01 -> 0.005"}));
  EXPECT_TRUE(changes[0].needs_consent);
  EXPECT_TRUE(changes[1].needs_consent);
  EXPECT_FALSE(changes[2].needs_consent);
}

TEST(LimitChanges, AnAcceptedBaselineNeedsNoConsentAndAnEditedOneDoes) {
  TreeLimits base = sample_limits();
  base.policies["suite"].loosening = LooseningRule::needs_consent;
  TreeLimits head = base;
  head.baselines[sample_file].exact["operators_per_step"] = {413, 413};
  EXPECT_TRUE(limit_changes(base, head).at(0).needs_consent);
  head.baselines[sample_file].provenance.utc = "2026-11-20T09:00:00Z";
  EXPECT_FALSE(limit_changes(base, head).at(0).needs_consent);
}

}  // namespace
}  // namespace stepgate

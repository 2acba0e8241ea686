#include "experiment/results/limit_review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/limits/told_changes.h"
#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"
#include "json/stored/policy_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* first_case = "suite/case_one/tiny";
constexpr const char* second_case = "suite/case_two/tiny";

/// A tree with the policy and the baselines of two cases.
class LimitTree {
 public:
  LimitTree() {
    write_policy({});
    write_baseline(portable_sample());
    Baseline second = portable_sample();
    second.case_name = second_case;
    write_baseline(second);
    project_.policy_root = project_.manifest.policy_root = folder_.path() / "policies";
    project_.baseline_root = project_.manifest.baseline_root = folder_.path() / "baselines";
    for (const char* name : {first_case, second_case})
      project_.manifest.cases.push_back({.name = name, .suite = "suite", .program = "train"});
    project_.commit = "4be1c0ffee12";
    project_.start.day = "2026-11-21";
  }

  void write_policy(const Policy& policy) const { folder_.write("policies/suite/policy.json", to_text(policy)); }
  void write_baseline(const Baseline& baseline) const {
    folder_.write("baselines/portable/" + baseline.case_name + ".json", to_text(baseline));
  }
  const TemporaryFolder& folder() const { return folder_; }
  Project& project() { return project_; }
  const std::vector<ManifestCase>& cases() const { return project_.manifest.cases; }

 private:
  TemporaryFolder folder_;
  Project project_;
};

class LimitsOfATree : public testing::Test {
 protected:
  LimitReview review() { return review_limits(head_.project(), base_.project(), head_.cases()); }

  LimitTree base_, head_;
};

TEST_F(LimitsOfATree, NothingIsSaidOfEqualTrees) {
  EXPECT_THAT(told(review().changes), IsEmpty());
  EXPECT_THAT(review().unread, IsEmpty());
  EXPECT_EQ(review().base_commit, "4be1c0ffee12");
}

TEST_F(LimitsOfATree, PoliciesBaselinesAndCasesAreRead) {
  Policy policy;
  policy.margins = {.ignore = 998, .matter = 999};
  policy.exact_tolerance["operators_per_step"] = 1'000'000;
  head_.write_policy(policy);
  Baseline edited = portable_sample();
  edited.exact["operators_per_step"] = {500, 500};
  head_.write_baseline(edited);
  head_.project().manifest.cases.pop_back();
  EXPECT_THAT(told(review().changes),
              ElementsAre("edited by hand baseline portable/suite/case_one/tiny.json (operators_per_step 412 -> 500 "
                          "(+21.4 %))",
                          "removed case suite/case_two/tiny", "loosened policy suite margins.ignore 0.01 -> 998",
                          "loosened policy suite margins.matter 0.05 -> 999",
                          "loosened policy suite exact_tolerance.operators_per_step 0 -> 1000000"));
}

TEST_F(LimitsOfATree, OnlyTheChosenCasesAreCompared) {
  Baseline edited = portable_sample();
  edited.exact["operators_per_step"] = {500, 500};
  head_.write_baseline(edited);
  head_.project().manifest.cases.push_back({.name = "suite/case_three/tiny", .suite = "suite", .program = "train"});
  const auto chosen = review_limits(head_.project(), base_.project(), {head_.cases()[1]});
  EXPECT_THAT(told(chosen.changes), IsEmpty());
  const LimitReview all = review();
  EXPECT_THAT(told(of_case(all, head_.cases()[1]).changes), IsEmpty());
  EXPECT_EQ(of_case(all, head_.cases()[0]).changes.size(), 1u);
}

TEST_F(LimitsOfATree, ThePolicyOfASuiteIsSaidOfEachOfItsCases) {
  Policy policy;
  policy.beta = 0.4;
  head_.write_policy(policy);
  for (const ManifestCase& entry : head_.cases()) EXPECT_EQ(of_case(review(), entry).changes.size(), 1u);
}

TEST_F(LimitsOfATree, AGapBetweenSessionsGivenToTheRunIsNoChangeOfTheTree) {
  head_.project().session_gap_s = 5;
  EXPECT_THAT(told(review().changes), IsEmpty());
}

TEST_F(LimitsOfATree, WhatCannotBeReadIsNamedAndNeverTakenForGone) {
  base_.folder().write("baselines/portable/suite/case_one/tiny.json", "{");
  base_.folder().write("policies/suite/policy.json", "{");
  const LimitReview found = review();
  EXPECT_THAT(told(found.changes), IsEmpty());
  EXPECT_THAT(found.unread, ElementsAre(HasSubstr("policy of suite in the base"), HasSubstr("case_one/tiny.json")));
}

TEST_F(LimitsOfATree, ABaseWithChangesSaysSo) {
  base_.project().commit += "-dirty";
  EXPECT_THAT(review().unread, ElementsAre(HasSubstr("changes that are not committed")));
}

TEST_F(LimitsOfATree, OneFolderForBothSidesSaysSo) {
  base_.project().policy_root = head_.project().policy_root;
  base_.project().baseline_root = head_.project().baseline_root;
  EXPECT_THAT(review().unread,
              ElementsAre(HasSubstr("policies: the base build names the same folder"), HasSubstr("baselines: ")));
}

TEST_F(LimitsOfATree, AFolderThatAnOptionNamesIsNotOfTheTree) {
  const TemporaryFolder other;
  head_.project().baseline_root = other.path();
  const LimitReview found = review();
  EXPECT_THAT(told(found.changes), IsEmpty());
  EXPECT_THAT(found.unread, ElementsAre(HasSubstr("is no folder of this tree")));
}

TEST_F(LimitsOfATree, ABuildThatIsNotThereIsNamed) {
  const LimitReview found =
      review_limits(head_.project(), LimitBase{.build = "/no/such/build", .allowed_by = "jane"}, head_.cases());
  EXPECT_THAT(found.unread, ElementsAre(HasSubstr("the base build: no stepgate-manifest.json in /no/such/build")));
  EXPECT_EQ(found.allowed_by, "jane");
}

TEST_F(LimitsOfATree, ALinkIsNoBaseline) {
  const fs::path file = head_.folder().path() / "baselines/portable/suite/case_one/tiny.json";
  fs::remove(file);
  fs::create_symlink(base_.folder().path() / "baselines/portable/suite/case_one/tiny.json", file);
  EXPECT_THAT(told(review().changes), ElementsAre("removed baseline portable/suite/case_one/tiny.json"));
}

TEST(JoinedLimits, EachChangeCountsOnceAndConsentIsThatOfAll) {
  EXPECT_FALSE(joined({}));
  LimitReview one{.base_commit = "aaa", .changes = {{.move = LimitMove::tightened}, {.place = "a"}}};
  LimitReview two{.base_commit = "aaa", .changes = {{.move = LimitMove::removed, .place = "b"}, {.place = "a"}}};
  two.allowed_by = "jane";
  const auto both = joined({one, two});
  EXPECT_EQ(told(both->changes), (LimitLines{"removed policy b", "changed policy a", "tightened policy "}));
  EXPECT_EQ(both->base_commit, "aaa");
  EXPECT_EQ(both->allowed_by, "jane") << "the other review has nothing to allow";
  one.changes.push_back({.move = LimitMove::loosened, .place = "c"});
  EXPECT_EQ(joined({one, two})->allowed_by, "");
}

}  // namespace
}  // namespace stepgate

// How many pairs of the A/A control are measured, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include "environment/evidence/taint.h"
#include "experiment/four_pairs.h"
#include "experiment/pairs/measure_in_pairs.h"
#include "experiment/pairs/pair_sequence.h"
#include "json/stored/policy_json.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// Eight pairs of a build with itself, with a control.
class ControlOfPairs : public testing::Test {
 protected:
  ControlOfPairs() : build_(std::string(noisy_process) + "finish") {
    pair_case_.case_plan.request = build_.program().request({Group::timed});
    pair_case_.case_plan.request.plan.timed_replicates = 1;
    pair_case_.plan.case_name = fake_case;
    pair_case_.plan.most_pairs = 8;
    pair_case_.plan.control = true;
    pair_case_.plan.plan = pair_case_.case_plan.request.plan;
    pair_case_.folder = ab_folder(build_);
    const ProgramBuild program{.program = build_.program().path()};
    pair_case_.builds = stage_builds(build_.root() / "staged", program, program);
  }

  /// Looks say what is needed at a number of pairs; decided with the last of them.
  PairsSoFar measured(const std::map<std::size_t, ControlNeed>& needs) {
    return measure_pairs(pair_case_, listener_.caller(), [&](const PairsSoFar& so_far) {
      control_at_[so_far.pairs.size()] = so_far.control.size();
      const auto need = std::prev(needs.upper_bound(so_far.pairs.size()));
      return PairsLook{.decided = so_far.pairs.size() >= needs.rbegin()->first, .control = need->second};
    });
  }

  FakeBuild build_;
  Listener listener_;
  PairCase pair_case_;
  std::map<std::size_t, std::size_t> control_at_;  ///< pairs of the case -> pairs of its control, at the last look
};

TEST_F(ControlOfPairs, NoneIsMeasuredWithoutARedInReach) {
  EXPECT_THAT(measured({{0, ControlNeed::none}, {6, ControlNeed::none}}).control, IsEmpty());
  EXPECT_EQ(build_.processes(), 12);
  EXPECT_FALSE(fs::exists(pair_case_.folder / "control"));
}

TEST_F(ControlOfPairs, ItCatchesUpBesideThePairsWhereARedIsInReach) {
  const PairsSoFar so_far = measured({{0, ControlNeed::none}, {4, ControlNeed::beside}, {8, ControlNeed::level}});
  EXPECT_THAT(control_at_,
              UnorderedElementsAre(testing::Pair(1, 0), testing::Pair(2, 0), testing::Pair(3, 0), testing::Pair(4, 2),
                                   testing::Pair(5, 4), testing::Pair(6, 6), testing::Pair(7, 7), testing::Pair(8, 8)));
  EXPECT_TRUE(so_far.finished);
}

TEST_F(ControlOfPairs, ARedThatNothingAnnouncedGetsAsManyAsTheCaseHas) {
  EXPECT_THAT(measured({{0, ControlNeed::none}, {8, ControlNeed::level}}).control, SizeIs(8));
}

TEST_F(ControlOfPairs, AnEndOfTheTimeBudgetDoesNotHoldBackTheControlOfARed) {
  pair_case_.budget_s = 1;
  const auto after_the_budget = [&](ControlNeed need) {
    fs::remove_all(pair_case_.folder);
    return measure_pairs(pair_case_, listener_.caller(), [&](const PairsSoFar& so_far) {
      if (so_far.pairs.size() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
      return PairsLook{.decided = true, .control = need};
    });
  };
  EXPECT_THAT(after_the_budget(ControlNeed::level).control, SizeIs(1));
  EXPECT_THAT(after_the_budget(ControlNeed::beside).control, IsEmpty());
}

TEST_F(ControlOfPairs, WhatAnInterruptedRunMeasuredIsTaken) {
  measured({{0, ControlNeed::none}, {2, ControlNeed::level}});
  const std::int64_t before = build_.processes();
  EXPECT_THAT(measured({{0, ControlNeed::none}, {2, ControlNeed::none}}).control, SizeIs(2));
  EXPECT_EQ(build_.processes(), before) << "nothing is measured again";
}

TEST_F(ControlOfPairs, ACompleteRunIsReadAsItIs) {
  const std::map<std::size_t, ControlNeed> needs = {
      {0, ControlNeed::none}, {4, ControlNeed::beside}, {5, ControlNeed::none}, {6, ControlNeed::none}};
  EXPECT_THAT(measured(needs).control, SizeIs(2));
  const std::int64_t before = build_.processes();
  pair_case_.plan.complete = true;
  const PairsSoFar again = measured(needs);
  EXPECT_THAT(again.pairs, SizeIs(6)) << "a control that would be measured now ends nothing";
  EXPECT_THAT(again.control, SizeIs(2));
  EXPECT_EQ(build_.processes(), before);
}

TEST_F(ControlOfPairs, AFailureOfTheControlEndsThePairs) {
  const FakeBuild broken("case $(dirname \"$0\") in *twin) exit 7 ;; esac; good");
  const ProgramBuild program{.program = broken.program().path()};
  pair_case_.builds = stage_builds(build_.root() / "broken", program, program);
  const PairsSoFar so_far = measured({{0, ControlNeed::none}, {2, ControlNeed::beside}, {8, ControlNeed::level}});
  EXPECT_THAT(so_far.pairs, SizeIs(2));
  EXPECT_THAT(so_far.control, SizeIs(1));
}

/// Shell code after noisy_process: the head is slower, and each process of the A/A copy is discarded for its page
/// faults. About 500 are those of this script; 60 more programs have 3 000.
constexpr const char* discarded_copies = R"sh(
[ $side = head ] && slow 150
[ $side = twin ] && for i in $(seq 60); do /bin/true; done
finish)sh";

TEST(DiscardedControl, LeavesARedThatSaysSo) {
  const FakeBuild build(std::string(noisy_process) + discarded_copies);
  Policy policy;
  policy.taint_limits = default_taint_limits();
  for (auto& [key, limit] : policy.taint_limits) limit = 1e9;
  policy.taint_limits[EvidenceKey::minor_faults] = 2000;
  build.program().folder().write("policies/fake/policy.json", to_text(policy));
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 8;
  const JudgedRun run = run_ab(build.project(), options, listener.caller());
  ASSERT_THAT(run.report.outcomes, SizeIs(1));
  const CaseVerdict& verdict = run.report.outcomes.front().verdict;
  EXPECT_EQ(verdict.status, Status::regressed) << verdict.detail;
  EXPECT_THAT(verdict.detail, HasSubstr("no control"));
  EXPECT_TRUE(fs::exists(ab_folder(build) / "control/011")) << "discarded pairs are made up for";
  EXPECT_FALSE(fs::exists(ab_folder(build) / "control/012")) << "eight pairs have twelve tries";
  EXPECT_FALSE(fs::exists(ab_folder(build) / "pairs/008"));
  EXPECT_THAT(text_in(ab_folder(build) / "verdict.json"), HasSubstr("no control"));
}

TEST(ControlForNext, AControlThatIsTooShortForARedIsNotHandedOn) {
  PairMeasurement measured;
  EXPECT_FALSE(control_for_next(measured));
  measured.control = ControlResult{.case_name = fake_case, .metric = "step_time_ns", .pairs = {}};
  measured.control->pairs.resize(7);
  EXPECT_FALSE(control_for_next(measured)) << "nothing is red before eight pairs";
  measured.control->pairs.resize(8);
  EXPECT_TRUE(control_for_next(measured));
}

}  // namespace
}  // namespace stepgate

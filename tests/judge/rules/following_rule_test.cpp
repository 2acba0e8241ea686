#include "judge/rules/following_rule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

PairedDecision undecided_at(double change) {
  PairedDecision decision;
  decision.analysis = 4;
  decision.estimate.theta = std::log1p(change);
  return decision;
}

TEST(FollowingRule, UndecidedWithinTheIgnoreMarginMayStaySo) {
  const Margins margins{0.1, 0.3};
  EXPECT_TRUE(may_stay_undecided(undecided_at(0.09), margins));
  EXPECT_TRUE(may_stay_undecided(undecided_at(-0.5), margins));
  EXPECT_FALSE(may_stay_undecided(undecided_at(0.11), margins)) << "it looks worse";
}

TEST(FollowingRule, IsTooNoisyUnlessMorePairsWouldCallItRedOrAllOfItLiesAboveTheMargin) {
  const Margins margins{0.1, 0.3};
  PairedDecision decision = undecided_at(0.5);
  decision.interval = {-0.2, 2};
  EXPECT_TRUE(is_too_noisy(decision, margins)) << "whatever its mean says";
  decision.red_after = 4;
  EXPECT_FALSE(is_too_noisy(decision, margins));
  decision.red_after.reset();
  decision.interval.lower = 0.12;
  EXPECT_FALSE(is_too_noisy(decision, margins)) << "all of it lies above the ignore margin";
  decision.interval.lower = -0.2;
  decision.analysis = 0;
  EXPECT_FALSE(is_too_noisy(decision, margins)) << "no analysis has judged it";
}

TEST(FollowingRule, OnlyWhatAnAnalysisHasJudged) {
  PairedDecision decision = undecided_at(0);
  decision.analysis = 0;
  EXPECT_FALSE(may_stay_undecided(decision, Margins{}));
  for (const Call call : {Call::pass, Call::improved, Call::regressed}) {
    PairedDecision decided = undecided_at(0);
    decided.call = call;
    EXPECT_FALSE(may_stay_undecided(decided, Margins{}));
  }
}

}  // namespace
}  // namespace stepgate

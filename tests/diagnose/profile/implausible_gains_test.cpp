#include "diagnose/profile/implausible_gains.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnose/profile/profile_case.h"
#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

TEST(ImplausibleGains, AGainBeyondItsBoundaryIsNotProven) {
  SampleProfileInput input;  // the optimizer takes 10 % of the step
  input.ran(Experiment::optimizer_skipped, 0.165, Proof::proven);
  input.ran(Experiment::logging_off, 0.03, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven) << "half as much again may be caches";
  input.experiments[0].interval = Interval{0.17, 0.20};
  input.experiments[0].more_processes = 3;
  const Profile profile = profile_case(input);
  EXPECT_EQ(profile.experiments[0].proof, Proof::undecided);
  EXPECT_FALSE(profile.experiments[0].more_processes);
  EXPECT_EQ(profile.experiments[0].remark,
            "contradicts the phase pass: it wins at least 17.0 %, but optimizer takes 10.0 % of the step; the blocks "
            "were disturbed");
  EXPECT_EQ(profile.experiments[1].proof, Proof::proven);
  EXPECT_NE(std::ranges::find(profile.bottlenecks, Bottleneck::optimizer, &BottleneckVerdict::kind)->proof,
            Proof::proven);
}

TEST(ImplausibleGains, WithoutAPhasePassNothingIsExcluded) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.record->timed.erase("phase");
  input.ran(Experiment::optimizer_skipped, 0.4, Proof::proven);
  EXPECT_EQ(profile_case(input).experiments[0].proof, Proof::proven);
}

}  // namespace
}  // namespace stepgate

// Processes that were discarded because the generator of requests was late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

Replicate discarded_for(std::vector<std::string> reasons) {
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.record.emplace();
  replicate.taint_reasons = std::move(reasons);
  return replicate;
}

TEST(LateGenerators, AreCountedWhicheverKeyAPolicyLimits) {
  const std::string late = "generator_late_fraction 0.003 above 0.001: the generator of requests was late";
  const std::string limited = "generator_late_ns 5900000 above 1000000: the longest time by which it was late";
  Measurement measurement;
  measurement.replicates = {discarded_for({"steal 4 %", late}), discarded_for({limited}), discarded_for({"steal 4 %"})};
  const CaseValues values = case_values(measurement);
  EXPECT_EQ(values.tainted, 3);
  EXPECT_EQ(values.late_generators, 2);
  EXPECT_EQ(values.why_generator_late, limited);
  EXPECT_THAT(values.timed, testing::IsEmpty());
}

}  // namespace
}  // namespace stepgate

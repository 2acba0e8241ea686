#include "judge/reduce/reduce_hazards.h"

#include <gtest/gtest.h>

#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

using HazardSequences = std::vector<std::vector<std::int64_t>>;

Measurement measured_for_hazards(std::optional<StreamHazards> hazards) {
  Measurement measurement;
  measurement.case_name = "a/b/tiny";
  measurement.hazards = std::move(hazards);
  return measurement;
}

TEST(ReduceHazards, EachExactProcessHasTheHazardsOfTheRun) {
  const Measurement measurement = measured_for_hazards(StreamHazards{.kernels = 7, .hazards = 3});
  CaseValues values;
  values.exact_processes.resize(2);
  add_hazards(measurement, values);
  EXPECT_EQ(values.exact.at("stream_hazards"), (HazardSequences{{3}, {3}}));
  ASSERT_TRUE(values.hazards);
  EXPECT_EQ(values.hazards->kernels, 7);
}

TEST(ReduceHazards, NoneIsAValueAndNotLookedForIsNone) {
  EXPECT_EQ(case_values(measured_for_hazards(StreamHazards{.kernels = 7})).exact.at("stream_hazards"),
            (HazardSequences{{0}}));
  const CaseValues without = case_values(measured_for_hazards(std::nullopt));
  EXPECT_FALSE(without.exact.contains("stream_hazards"));
  EXPECT_FALSE(without.hazards);
}

}  // namespace
}  // namespace stepgate

// A process of group exact in the place of one of group profile.
#include "experiment/studies/profiled/observed_while_counted.h"

#include <gtest/gtest.h>

#include "core/record/clean_records.h"

namespace stepgate {
namespace {

TEST(ObservedWhileCounted, HoldsTheOperatorsOfTheProcessThatCountedThem) {
  Measurement exact;
  exact.case_name = "suite/case/variant";
  Replicate& replicate = exact.replicates.emplace_back();
  replicate.group = Group::exact;
  RunRecord& record = replicate.record.emplace();
  record.group = Group::exact;
  record.counts.emplace().observed.emplace().steps = 8;

  const Measurement observed = observed_while_counted(exact);
  const auto records = clean_records(observed, Group::profile);
  ASSERT_EQ(records.size(), 1U);
  ASSERT_TRUE(records.front()->profile);
  EXPECT_EQ(records.front()->profile->observed->steps, 8);
  EXPECT_EQ(records.front()->profile->observed_wall_ns, 0);
  EXPECT_TRUE(exact.replicates.front().record->counts->observed) << "the measurement itself stays as it is";
  EXPECT_EQ(observed.case_name, exact.case_name);
}

TEST(ObservedWhileCounted, AFailureStaysOne) {
  Measurement exact;
  Replicate& replicate = exact.replicates.emplace_back();
  replicate.group = Group::exact;
  replicate.failure = ReplicateFailure{FailureKind::crashed, "killed by signal 11", ""};
  EXPECT_TRUE(clean_records(observed_while_counted(exact), Group::profile).empty());
  EXPECT_TRUE(observed_while_counted(exact).replicates.front().failure);
}

}  // namespace
}  // namespace stepgate

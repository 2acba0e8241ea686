#include "core/record/clean_records.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

Replicate of_group(Group group) {
  Replicate replicate;
  replicate.group = group;
  return replicate;
}

Replicate with_record(Group group, const std::string& case_name) {
  Replicate replicate = of_group(group);
  replicate.record.emplace().case_name = case_name;
  return replicate;
}

TEST(CleanRecords, LeaveOutFailedDisturbedAndOtherProcesses) {
  Measurement measurement;
  measurement.replicates = {with_record(Group::timed, "first"),
                            with_record(Group::exact, "other group"),
                            with_record(Group::timed, "disturbed"),
                            with_record(Group::timed, "failed"),
                            of_group(Group::timed),
                            with_record(Group::timed, "last")};
  measurement.replicates[2].taint_reasons = {"steal_fraction 0.2 above 0.01"};
  measurement.replicates[3].failure.emplace();
  const auto records = clean_records(measurement, Group::timed);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0]->case_name, "first");
  EXPECT_EQ(records[1]->case_name, "last");
}

TEST(CleanRecords, WhatIsCountedIsTakenFromDisturbedProcessesWhereNoneIsClean) {
  Measurement measurement;
  measurement.replicates = {with_record(Group::timed, "disturbed"), with_record(Group::timed, "clean"),
                            with_record(Group::timed, "failed")};
  measurement.replicates[0].taint_reasons = {"steal_fraction 0.2 above 0.01"};
  measurement.replicates[2].failure.emplace();
  ASSERT_EQ(counted_records(measurement, Group::timed).size(), 1U);
  EXPECT_EQ(counted_records(measurement, Group::timed)[0]->case_name, "clean");
  measurement.replicates[1].set_aside = "out of order";
  ASSERT_EQ(counted_records(measurement, Group::timed).size(), 1U);
  EXPECT_EQ(counted_records(measurement, Group::timed)[0]->case_name, "disturbed");
}

}  // namespace
}  // namespace stepgate

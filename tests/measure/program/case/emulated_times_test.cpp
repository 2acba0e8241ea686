// A record of an emulated GPU without times, and with everything else.
#include "measure/program/case/emulated_times.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

RunRecord exact_record() {
  RunRecord record;
  record.group = Group::exact;
  record.counts = WorkCounts{};
  record.counts->per_step["kernels_per_step"] = {7, 7};
  record.counts->per_step["graph_recording_ns"] = {4000, 4000};
  record.counts->observed = ObservedWork{};
  OperatorSite site;
  site.boundary = "forward";
  site.name = "aten::mm";
  site.calls = 2;
  site.flops = 64;
  site.self_ns = 500;
  site.total_ns = 900;
  record.counts->observed->sites = {site};
  record.memory = MemoryProfile{};
  record.memory->series = {{"pinned_allocation_ns", {80, 0}}, {"pinned_allocations_per_step", {1, 0}}};
  return record;
}

TEST(EmulatedTimes, OperatorsKeepTheirWorkAndLoseTheirTimes) {
  RunRecord record = exact_record();
  drop_emulated_times(record);
  const OperatorSite& site = record.counts->observed->sites.front();
  EXPECT_EQ(site.self_ns, 0);
  EXPECT_EQ(site.total_ns, 0);
  EXPECT_EQ(site.calls, 2);
  EXPECT_EQ(site.flops, 64);
  EXPECT_EQ(record.counts->per_step.at("kernels_per_step").size(), 2U);
}

TEST(EmulatedTimes, ASeriesOfTimeIsAbsentWithTheReason) {
  RunRecord record = exact_record();
  drop_emulated_times(record);
  EXPECT_FALSE(record.memory->series.contains("pinned_allocation_ns"));
  EXPECT_EQ(record.memory->absent.at("pinned_allocation_ns"), "an emulated GPU has no times");
  EXPECT_TRUE(record.memory->series.contains("pinned_allocations_per_step"));
}

TEST(EmulatedTimes, TheTimeToRecordGraphsIsAbsentWithTheReason) {
  RunRecord record = exact_record();
  drop_emulated_times(record);
  EXPECT_FALSE(record.counts->per_step.contains("graph_recording_ns"));
  EXPECT_EQ(record.absent.at("graph_recording_ns"), "an emulated GPU has no times");
}

TEST(EmulatedTimes, ARecordWithoutThesePassesStaysAsItIs) {
  RunRecord record;
  drop_emulated_times(record);
  EXPECT_FALSE(record.counts);
  EXPECT_FALSE(record.memory);
}

}  // namespace
}  // namespace stepgate

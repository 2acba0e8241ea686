#include "judge/reduce/host_lead.h"

#include <gtest/gtest.h>

#include "judge/reduce/reduce_timed.h"

namespace stepgate {
namespace {

/// Two steps of `wall_ns`, of which the host waited `wait_ns` for data, in a window whose device ended at `end_ns`.
TimedPass window_of(std::int64_t wall_ns, std::int64_t wait_ns, std::int64_t end_ns) {
  StepSample step;
  step.wall_ns = wall_ns;
  step.host_ns[static_cast<std::size_t>(Boundary::data_wait)] = wait_ns;
  Window window{.wall_ns = end_ns, .first_step = 0, .steps = 2};
  window.queued_ns = 2 * wall_ns;
  return {.clock = "virtual", .windows = {window}, .steps = {step, step}};
}

TimedValues values_of(const TimedPass& pass) {
  RunRecord record;
  record.timed["e2e"] = pass;
  return timed_values(record);
}

TEST(HostLead, QueueingIsTheHostsTimeWithoutWaitingForData) {
  const TimedValues found = values_of(window_of(1000, 300, 2200));
  EXPECT_EQ(found.values.at("enqueue_time_ns"), 700);
  EXPECT_DOUBLE_EQ(found.values.at("enqueue_ratio"), 700 / 1100.0);
  EXPECT_DOUBLE_EQ(found.values.at("device_backlog_ratio"), 200 / 1100.0);
}

TEST(HostLead, IsTheMedianOfTheWindowsWithoutANewShape) {
  TimedPass pass = window_of(1000, 0, 2000);
  for (const std::int64_t end_ns : {2100, 9000}) {
    pass.windows.push_back(pass.windows[0]);
    pass.windows.back().wall_ns = end_ns;
  }
  pass.windows.push_back(pass.windows[0]);
  pass.windows.back().cold_shape = true;
  EXPECT_DOUBLE_EQ(values_of(pass).values.at("device_backlog_ratio"), 100 / 1050.0);
}

TEST(HostLead, IsAbsentWhereTheHostComputesAndInRecordsWithoutTheMark) {
  TimedPass on_cpu = window_of(1000, 0, 2000);
  on_cpu.clock = "steady_clock";
  on_cpu.windows[0].queued_ns.reset();
  EXPECT_EQ(values_of(on_cpu).absent.at("enqueue_ratio"), "the host computes while it is called and queues nothing");
  TimedPass older = window_of(1000, 0, 2000);
  older.windows[0].queued_ns.reset();
  EXPECT_EQ(values_of(older).absent.at("enqueue_time_ns"),
            "no window without a new shape says when its last step was queued");
  EXPECT_EQ(timed_values(RunRecord{}).absent.at("device_backlog_ratio"), "the e2e pass did not run");
}

}  // namespace
}  // namespace stepgate

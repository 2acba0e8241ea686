#include "experiment/plan/event_notice.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

Measurement measurement_with(std::int64_t marked_window_every) {
  RunRecord record;
  record.warmup.emplace();
  record.warmup->event_cost = {.record_ns = 1000, .records_per_step = 8, .marked_window_every = marked_window_every};
  Measurement measurement;
  measurement.case_name = "toys/mlp/tiny";
  measurement.replicates.resize(3);
  measurement.replicates[1].record = record;
  measurement.replicates[2].record = RunRecord{};
  return measurement;
}

TEST(EventNotice, SaysHowOftenEventsAreRecorded) {
  EXPECT_EQ(thinned_events(measurement_with(4)).value().text,
            "toys/mlp/tiny: recording device events takes 8.00 us of a step, more than 0.1 % of it; one window in 4 "
            "records them");
}

/// Steps of the reference case take some milliseconds, whatever the case takes.
TEST(EventNotice, NamesTheReferenceCase) {
  Measurement measurement = measurement_with(2);
  measurement.replicates[1].record->group = Group::reference;
  EXPECT_EQ(
      thinned_events(measurement).value().text,
      "toys/mlp/tiny: recording device events takes 8.00 us of a step of the reference case, more than 0.1 % of it; "
      "one window in 2 records them");
}

TEST(EventNotice, SaysNothingWhereEveryWindowRecordsThem) {
  EXPECT_EQ(thinned_events(measurement_with(1)), std::nullopt);
  EXPECT_EQ(thinned_events(Measurement{}), std::nullopt);
}

}  // namespace
}  // namespace stepgate

#include "report/gate/metric_cells.h"

#include <gtest/gtest.h>

#include "support/sample_reports.h"

namespace stepgate {
namespace {

TEST(MetricCells, ShowEveryByteWhereTheShortFormHidesTheChange) {
  const MetricCells small = metric_cells(metric_verdict("peak_allocated_bytes", Status::regressed, 1310720, 1310724));
  EXPECT_EQ(small.baseline, "1 310 720 B");
  EXPECT_EQ(small.now, "1 310 724 B");
  EXPECT_EQ(small.change, "+4 B");
  EXPECT_EQ(small.relative, "(+0.00031 %)");
  const MetricCells large = metric_cells(metric_verdict("peak_allocated_bytes", Status::regressed, 1310720, 2621440));
  EXPECT_EQ(large.baseline, "1.25 MiB");
  EXPECT_EQ(large.change, "+1.25 MiB");
  EXPECT_EQ(large.relative, "(+100.0 %)");
}

TEST(MetricCells, SayWhatIsNotJudged) {
  MetricVerdict shown = metric_verdict("minor_faults_per_step", Status::not_judged, 0, 12);
  shown.baseline.reset();
  shown.reason = ReasonCode::not_judged;
  EXPECT_EQ(metric_cells(shown).verdict, "not judged");
  EXPECT_EQ(metric_cells(shown).now, "12");
  shown.reason = ReasonCode::varying;
  EXPECT_EQ(metric_cells(shown).verdict, "not judged: varying");
  shown.reason = ReasonCode::too_noisy;
  EXPECT_EQ(metric_cells(shown).verdict, "not judged: too noisy here");
  shown.reason = ReasonCode::varying;
  CaseVerdict verdict;
  verdict.metrics = {shown, shown};
  for (MetricVerdict& metric : verdict.metrics) metric.gating = true;
  EXPECT_EQ(passing_summary(verdict), "not judged: 2 varying");
  verdict.metrics[0].reason = ReasonCode::not_stored;
  EXPECT_EQ(passing_summary(verdict), "not judged: 1 varying, 1 by ab only");
  verdict.metrics[0].reason = ReasonCode::too_noisy;
  EXPECT_EQ(passing_summary(verdict), "not judged: 1 varying, 1 too noisy");
  verdict.metrics[0].reason = ReasonCode::limit_not_judged;
  EXPECT_EQ(passing_summary(verdict), "not judged: 1 varying, 1 limit");
  EXPECT_EQ(verdict_text(verdict.metrics[0]), "not judged: limit");
  verdict.metrics[0].reason = ReasonCode::library_shapes_differ;
  EXPECT_EQ(passing_summary(verdict), "not judged: 1 varying, 1 other library shapes");
  EXPECT_EQ(verdict_text(verdict.metrics[0]), "not judged: other library shapes");
}

TEST(MetricCells, ShowChangesAsTheValueMoved) {
  MetricVerdict slower = metric_verdict("samples_per_s", Status::regressed, 1000, 900);
  slower.interval = Interval{-0.12, -0.08};
  EXPECT_EQ(metric_cells(slower).change, "-10.0 %");
  EXPECT_EQ(metric_cells(slower).interval, "[-12.0 %, -8.0 %]");
}

TEST(MetricCells, NeverDivideByAnAbsentOrZeroBaseline) {
  EXPECT_EQ(metric_cells(metric_verdict("host_syncs_per_step", Status::regressed, 0, 2)).change, "+2");
  MetricVerdict alone;
  alone.metric = "step_time_ns";
  alone.current = 3e6;
  EXPECT_EQ(metric_cells(alone).baseline, "-");
  EXPECT_EQ(metric_cells(alone).now, "3.00 ms");
  EXPECT_EQ(metric_cells(alone).change, "-");
}

TEST(MetricCells, PassingSummaryTellsUnchangedFromWithinLimits) {
  EXPECT_EQ(passing_summary(regressed_exact().verdict), "unchanged: 2 exact, 1 bytes; within limits: 1 numeric");
  EXPECT_EQ(passing_summary(passing_timed().verdict), "within limits: 1 timed");
  EXPECT_EQ(passing_summary(passing_with_new_metric().verdict),
            "unchanged: 1 exact, 1 bytes; within limits: 1 numeric; not judged: 1 new");
  EXPECT_EQ(passing_summary(no_baseline_case().verdict), "");
}

TEST(MetricCells, LatenciesComeFirstInTheLineOfSpeed) {
  CaseVerdict verdict;
  const auto add = [&](const char* metric, double before, double now) {
    MetricVerdict& added = verdict.metrics.emplace_back();
    added.metric = metric;
    added.baseline = before;
    added.current = now;
  };
  add("latency_mean_ns", 1e6, 1.1e6);
  add("latency_p99_ns", 2e6, 2e6);
  add("latency_max_ns", 8e6, 9e6);
  add("requests_per_s", 1000, 909);
  add("first_token_ns", 4e6, 4e6);
  EXPECT_EQ(throughput_summary(verdict),
            "latency 1.10 ms in the mean (+10.0 %), P99 2.00 ms, longest 9.00 ms, 909 requests/s (-9.1 %), first token "
            "4.00 ms");
}

TEST(MetricCells, ThroughputIsOneLine) {
  EXPECT_EQ(throughput_summary(regressed_timed().verdict),
            "step 18.6 ms, 3 440 samples/s (-23.2 %), 67 700 effective of 84 600 padded tokens/s, padding ratio 0.200");
  EXPECT_EQ(throughput_summary(regressed_exact().verdict), "");
}

}  // namespace
}  // namespace stepgate

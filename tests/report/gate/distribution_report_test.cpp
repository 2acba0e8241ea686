#include "report/gate/distribution_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/text/clean_text.h"
#include "support/golden.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

StepDistribution row(const std::string& what, double median_ns, std::int64_t n = 180) {
  return {.what = what,
          .unit = DistributionUnit::step,
          .n = n,
          .processes = 3,
          .mean_ns = 1.02 * median_ns,
          .median_ns = median_ns,
          .sd_ns = 0.031 * median_ns,
          .p95_ns = 1.1 * median_ns,
          .p99_ns = n < least_for_p99 ? std::nullopt : std::optional(1.31 * median_ns),
          .min_ns = 0.94 * median_ns,
          .max_ns = 2.6 * median_ns};
}

MeasuredTimes sample_times() {
  MeasuredTimes times{.case_name = "language/char_lm/tiny",
                      .distributions = {row("step", 9.87e6), row("data wait in e2e", 812), row("data_wait", 1.2e3, 90),
                                        row("forward", 3.21e6, 90), row("a_boundary_with_a_long_name", 99'950, 90)}};
  StepDistribution first = row("first step", 2.31e9, 3);
  first.unit = DistributionUnit::process;
  first.p95_ns.reset();
  times.distributions.push_back(first);
  times.tflop_per_s = 0.0143;
  times.why_no_mfu = "the peak of a CPU is not known; state it in the policy: peak_tflop_per_s";
  return times;
}

TEST(DistributionReportGolden, Table) { expect_golden("report/distribution.txt", render_times(sample_times(), {})); }

TEST(DistributionReport, FitsEightyColumns) {
  std::istringstream lines(render_times(sample_times(), {.width = 80}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 80U) << line;
}

TEST(DistributionReport, NamesWhatNCountsAndWhichPercentilesAreMissing) {
  const std::string page = render_times(sample_times(), {.width = 200});
  EXPECT_THAT(page, HasSubstr("180 steps in 3 processes (step, data wait in e2e); 90 steps in 3 processes (data_wait"));
  EXPECT_THAT(page, HasSubstr("3 processes (first step)"));
  EXPECT_THAT(page, HasSubstr("P95 needs 20 values, P99 needs 100."));
  EXPECT_THAT(page, HasSubstr("they test nothing"));
}

TEST(DistributionReport, ShowsTheUtilisationWhereThePeakIsKnown) {
  MeasuredTimes times = sample_times();
  times.tflop_per_s = 412.3;
  times.mfu_ratio = 0.4167;
  EXPECT_THAT(render_times(times, {}), HasSubstr("412 TFLOP/s, 41.7 % of the device's peak (MFU)"));
  times.tflop_per_s.reset();
  EXPECT_THAT(render_times(times, {}), Not(HasSubstr("FLOP")));
}

TEST(DistributionReport, ShowsEachLatencyWithItsRangeOverProcesses) {
  MeasuredTimes times = sample_times();
  EXPECT_THAT(render_times(times, {}), Not(HasSubstr("one value each")));
  times.latencies = {{"latency, mean", 1.21e6, 1.19e6, 1.24e6}, {.label = "latency, P99", .median_ns = 3.4e6}};
  times.requests_per_s = 812;
  times.missing_latencies = {"latency, P99.9: needs 10 000 requests a process, has 1 000 requests"};
  const std::string page = render_times(times, {.width = 120});
  EXPECT_THAT(page, HasSubstr("latency, mean                      1.21 ms   (1.19 ms to 1.24 ms)"));
  EXPECT_THAT(page, HasSubstr("latency, P99                       3.40 ms"));
  EXPECT_THAT(page, HasSubstr("throughput                         812 requests/s"));
  EXPECT_THAT(page, HasSubstr("P99.9: needs 10 000 requests"));
}

TEST(DistributionReport, IsEmptyWithoutTimes) { EXPECT_EQ(render_times({.case_name = "a/b/c"}, {}), ""); }

TEST(DistributionReport, ShowsRatesAndWhyOthersAreAbsent) {
  MeasuredTimes times = sample_times();
  times.rates = {{.metric = "samples_per_s", .value = 4480},
                 {.metric = "steps_per_s", .value = 140},
                 {.metric = "effective_tokens_per_s", .why_absent = "the workload has no tokens"},
                 {.metric = "padded_tokens_per_s", .why_absent = "the workload has no tokens"},
                 {.metric = "gpu_energy_per_step_j", .value = 12.3},
                 {.metric = "package_energy_per_step_j", .why_absent = "only root reads it"}};
  const std::string page = render_times(times, {.width = 200});
  EXPECT_THAT(page, HasSubstr("rates      4 480 samples/s, 140 steps/s\n"));
  EXPECT_THAT(page, HasSubstr("absent     effective tokens, padded tokens: the workload has no tokens\n"));
  EXPECT_THAT(page, HasSubstr("energy     12.3 J (GPU energy of a step)\n"));
  EXPECT_THAT(page, Not(HasSubstr("only root")));
}

}  // namespace
}  // namespace stepgate

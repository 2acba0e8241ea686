#include "core/metric.h"

#include <gtest/gtest.h>

#include <set>

namespace stepgate {
namespace {

TEST(MetricCatalogue, NamesAreUniqueAndCarryTheirUnit) {
  std::set<std::string_view> names;
  for (const Metric& metric : metric_catalogue()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.label.empty()) << metric.name;
    EXPECT_TRUE(metric.unit != "bytes" || metric.name.find("bytes") != std::string_view::npos) << metric.name;
    EXPECT_TRUE(metric.unit != "ns" || metric.name.ends_with("_ns")) << metric.name;
  }
}

TEST(MetricCatalogue, ASeriesIsReadInOneWay) {
  for (const Metric& metric : metric_catalogue()) {
    if (metric.series.empty()) continue;
    const Metric* first = find_series(metric.series);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(metric.over_steps == OverSteps::once, first->over_steps == OverSteps::once) << metric.name;
    EXPECT_EQ(metric.over_ranks, first->over_ranks) << metric.name;
    EXPECT_EQ(metric.over_steps == OverSteps::each, metric.tier == Tier::exact) << metric.name;
  }
}

TEST(MetricCatalogue, OnlyGrowthIsJudgedFromZeroAndShownMetricsDoNotGate) {
  for (const Metric& metric : metric_catalogue()) {
    const bool grows = metric.over_steps == OverSteps::growth;
    EXPECT_TRUE(metric.reference != Reference::nothing || !metric.gates) << metric.name;
    EXPECT_TRUE(metric.noise_floor == 0 || grows) << metric.name;
    EXPECT_TRUE(metric.reference != Reference::zero || grows) << metric.name;
  }
}

}  // namespace
}  // namespace stepgate

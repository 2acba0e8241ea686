#include "core/metric.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/boundary.h"

namespace stepgate {
namespace {

TEST(MetricCatalogue, NamesAreUniqueAndCarryTheirUnit) {
  std::set<std::string_view> names;
  for (const Metric& metric : metric_catalogue()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.label.empty()) << metric.name;
    EXPECT_TRUE(metric.unit != MetricUnit::bytes || metric.name.find("bytes") != std::string_view::npos) << metric.name;
    const std::string_view name = metric.name.substr(0, metric.name.find('['));
    const bool says_ns = name.ends_with("_ns") || name.ends_with("_ns_per_step");
    EXPECT_TRUE(metric.unit != MetricUnit::ns || says_ns) << metric.name;
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

TEST(MetricCatalogue, OnlyGrowthAndCountedEventsAreJudgedFromZeroAndShownMetricsDoNotGate) {
  for (const Metric& metric : metric_catalogue()) {
    const bool grows = metric.over_steps == OverSteps::growth;
    EXPECT_TRUE(metric.reference != Reference::nothing || !metric.gates) << metric.name;
    EXPECT_TRUE(metric.noise_floor == 0 || grows) << metric.name;
    EXPECT_TRUE(metric.reference != Reference::zero || grows || metric.tier == Tier::exact) << metric.name;
  }
}

TEST(MetricCatalogue, CountersOfTheLoaderAndOfTheBatchDependOnTheData) {
  std::vector<std::string_view> names;
  for (const Metric& metric : metric_catalogue()) {
    if (metric.of_data) names.push_back(metric.name);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"loader_operators_per_batch", "loader_allocations_per_batch",
                                                  "loader_bytes_per_batch", "padding_tokens_per_step", "shapes_seen",
                                                  "cold_shapes_after_warmup", "samples_per_step",
                                                  "padded_tokens_per_step", "effective_tokens_per_step"}));
}

TEST(MetricCatalogue, AFamilyIsOneRowForNamesThatAWorkloadGives) {
  const Metric* loss = find_metric("loss[discriminator]");
  ASSERT_NE(loss, nullptr);
  EXPECT_EQ(loss->name, further_loss_family);
  EXPECT_EQ(loss->tier, Tier::numeric);
  EXPECT_TRUE(loss->gates);
  EXPECT_EQ(label_of("loss[discriminator]"), "discriminator loss");
  EXPECT_EQ(label_of("boundary_ns[discriminator]"), "discriminator");
  EXPECT_EQ(label_of("loss"), "loss");
  EXPECT_EQ(label_of("unheard_of"), "unheard_of");
  EXPECT_EQ(member_of(further_loss_family, "critic"), "loss[critic]");
  EXPECT_EQ(member_name("loss[critic]"), "critic");
  for (const char* name : {"loss[Critic]", "loss[]", "loss[forward]", "lost[critic]", "loss[critic", "grad_norm[x]"}) {
    EXPECT_EQ(find_metric(name), nullptr) << name;
  }
}

TEST(MetricCatalogue, ListsMembersWhereTheirFamilyIs) {
  std::vector<std::string> names;
  for (const Metric& metric : known_metrics({"final_loss", "loss", "loss[b]", "loss[a]", "grad_norm", "unheard_of"})) {
    names.emplace_back(metric.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"loss", "loss[a]", "loss[b]", "grad_norm", "final_loss"}));
}

TEST(MetricCatalogue, EveryBoundaryHasATime) {
  for (const BoundaryRow& row : boundary_table) {
    ASSERT_NE(find_metric(row.metric), nullptr) << row.name;
    EXPECT_EQ(row.metric, std::string(row.name) + "_ns");
    EXPECT_TRUE(is_boundary_time(row.metric)) << row.name;
  }
  EXPECT_TRUE(is_boundary_time("boundary_ns[discriminator]"));
  EXPECT_FALSE(is_boundary_time("step_time_ns"));
}

}  // namespace
}  // namespace stepgate

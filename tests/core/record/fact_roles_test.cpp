#include "core/record/fact_roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/record/fact_table.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> keys_of(const std::vector<FingerprintMismatch>& facts) {
  std::vector<std::string> names;
  for (const FingerprintMismatch& fact : facts) names.push_back(fact.key);
  return names;
}

TEST(FactRow, HasOneRowForEachFact) {
  std::set<std::string_view> names;
  for (const FactRow& row : fact_table()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_EQ(find_fact("gpu")->device, FactRole::key);
  EXPECT_EQ(find_fact("gpu_pci_bus_id")->device, FactRole::recorded);
  EXPECT_EQ(find_fact("gpu_driver")->runner, FactRole::undecides_times);
  EXPECT_EQ(find_fact("nothing"), nullptr);
}

TEST(FactRow, ComparesMemoryOfAGpuWithinOnePercentAndAllElseAsText) {
  EXPECT_TRUE(same_fact("gpu_memory_bytes", "85045477376", "85017755648"));
  EXPECT_TRUE(same_fact("gpu_memory_bytes", "1000", "990"));
  EXPECT_TRUE(same_fact("gpu_memory_bytes", "990", "1000"));
  EXPECT_FALSE(same_fact("gpu_memory_bytes", "1000", "989"));
  EXPECT_FALSE(same_fact("gpu_memory_bytes", "85045477376", ""));
  EXPECT_FALSE(same_fact("gpu_memory_bytes", "85045477376", "80 GB"));
  EXPECT_TRUE(same_fact("gpu_memory_bytes", "80 GB", "80 GB"));
  EXPECT_FALSE(same_fact("seed", "1000", "999"));
  EXPECT_FALSE(same_fact("nothing", "1000", "999"));
}

TEST(FactRow, AChangeOfTheDriverIsNoOtherMachine) {
  const Fingerprint stored = {
      {"device", "cuda"}, {"gpu", "H200"}, {"gpu_driver", "580.65.06"}, {"gpu_power_limit_w", "700"}};
  Fingerprint found = stored;
  found["gpu_driver"] = "580.95.05";
  found.erase("gpu_power_limit_w");
  RunnerKeyChanges changes = runner_key_changes(stored, found);
  EXPECT_THAT(changes.mismatches, IsEmpty());
  EXPECT_THAT(keys_of(changes.of_times), ElementsAre("gpu_driver", "gpu_power_limit_w"));
  found["gpu"] = "H100";
  EXPECT_THAT(keys_of(runner_key_changes(stored, found).mismatches), ElementsAre("gpu"));
}

TEST(FactRow, TheDriverOfAGpuDoesNotCountOnACpu) {
  const RunnerKeyChanges changes =
      runner_key_changes({{"device", "cpu"}, {"gpu_driver", "580.65.06"}}, {{"device", "cpu"}});
  EXPECT_THAT(changes.mismatches, IsEmpty());
  EXPECT_THAT(changes.of_times, IsEmpty());
}

}  // namespace
}  // namespace stepgate

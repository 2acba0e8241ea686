// Growth in chunks of the levels of the numerics pass, from a record to the values of its case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/metric.h"
#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

const std::string chunk_metric = "host_heap_chunks_bytes_per_step";
constexpr std::int64_t one_mib = 1024 * 1024;

/// Levels of `steps` steps after the first, of which each 16th adds a chunk.
std::vector<std::int64_t> followed_levels(std::int64_t steps, std::int64_t chunk) {
  std::vector<std::int64_t> levels{-500};
  for (std::int64_t step = 0; step < steps; ++step) levels.push_back(levels.back() + (step % 16 == 5 ? chunk : 0));
  return levels;
}

Replicate replicate_with(std::vector<std::int64_t> levels, const StepCounts& steps = {}) {
  Replicate replicate;
  replicate.group = Group::exact;
  replicate.record.emplace();
  replicate.record->steps = steps;
  MemoryProfile& memory = replicate.record->memory.emplace();
  memory.series["resident_bytes"] = {10, 10, 10, 10, 10};
  memory.series["peak_allocated_bytes"] = {4096};
  if (!levels.empty()) memory.series["followed_host_heap_bytes"] = std::move(levels);
  return replicate;
}

CaseValues reduced(std::vector<Replicate> replicates) {
  Measurement measurement;
  measurement.replicates = std::move(replicates);
  return case_values(measurement);
}

TEST(GrowthOfAFollowedLevel, AMebibyteEachSixteenStepsIsItsShareOfAStep) {
  const Replicate one = replicate_with(followed_levels(48, one_mib));
  const CaseValues values = reduced({one, one});
  EXPECT_THAT(values.bytes.at(chunk_metric), ElementsAre(65'536, 65'536));
  EXPECT_EQ(values.growth.at(chunk_metric).front().steps, 48);
  EXPECT_EQ(values.growth.at(chunk_metric).front().one_off, 0);
}

TEST(GrowthOfAFollowedLevel, AProcessThatWasNotFollowedFurtherHasNone) {
  EXPECT_THAT(reduced({replicate_with(followed_levels(18, one_mib))}).bytes.at(chunk_metric), ElementsAre(0));
  EXPECT_THAT(reduced({replicate_with(followed_levels(18, 0))}).bytes.at(chunk_metric), ElementsAre(0));
}

TEST(GrowthOfAFollowedLevel, IsBelowTheFloorOrCountsAsAWhole) {
  const CaseValues small = reduced({replicate_with(followed_levels(48, 100'000))});
  EXPECT_THAT(small.bytes.at(chunk_metric), ElementsAre(0));
  EXPECT_EQ(small.growth.at(chunk_metric).front().per_step, 6'250) << "for a measured base";
}

TEST(GrowthOfAFollowedLevel, ChunksThatBeginAfterTheNumericsPassDoNotCount) {
  std::vector<std::int64_t> levels(49, 0);
  for (const std::size_t chunk : {20U, 40U, 48U}) {
    for (std::size_t step = chunk; step < levels.size(); ++step) levels[step] += one_mib;
  }
  EXPECT_THAT(reduced({replicate_with(levels)}).bytes.at(chunk_metric), ElementsAre(0));
  EXPECT_THAT(reduced({replicate_with(levels, {.numerics = 51})}).bytes.at(chunk_metric), ElementsAre(65'536));
}

TEST(GrowthOfAFollowedLevel, RecordsOfOlderProgramsHaveNone) {
  const CaseValues values = reduced({replicate_with({})});
  EXPECT_FALSE(values.bytes.contains(chunk_metric));
  EXPECT_FALSE(values.growth.contains(chunk_metric));
  EXPECT_FALSE(values.absent.contains(chunk_metric));
}

TEST(GrowthOfAFollowedLevel, NeedsFourStepsOfTheNumericsPass) {
  const CaseValues values = reduced({replicate_with(followed_levels(48, one_mib), {.numerics = 6})});
  EXPECT_FALSE(values.bytes.contains(chunk_metric));
  EXPECT_EQ(values.absent.at(chunk_metric), "needs 4 steps of the numerics pass after the first 3, has 3");
}

TEST(GrowthOfAFollowedLevel, IsJudgedFromAStoredZeroOnly) {
  const Metric* metric = find_metric(chunk_metric);
  ASSERT_NE(metric, nullptr);
  EXPECT_TRUE(metric->gates);
  EXPECT_EQ(metric->reference, Reference::stored_zero);
  EXPECT_TRUE(is_from_zero(metric->reference));
  EXPECT_FALSE(is_from_zero(Reference::baseline));
  EXPECT_TRUE(metric->stores_zero) << "else no baseline could say that a process was followed";
}

}  // namespace
}  // namespace stepgate

#include "lab/noisy_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"
#include "stats/summary.h"

namespace stepgate::lab {
namespace {

SimulatedPairs pairs_of(const NoiseModel& model, std::uint64_t seed, double change, std::size_t pairs = 16) {
  NoisyMachine machine(model, seed);
  SimulatedPairs result;
  machine.measure(machine.environments(pairs), change, result);
  return result;
}

TEST(NoisyMachine, TheSameSeedGivesTheSameRun) {
  for (const NoiseModel& model : noise_models()) {
    EXPECT_EQ(pairs_of(model, 7, 0.05).differences, pairs_of(model, 7, 0.05).differences) << model.name;
    EXPECT_NE(pairs_of(model, 7, 0.05).differences, pairs_of(model, 8, 0.05).differences) << model.name;
  }
}

TEST(NoisyMachine, DifferencesCentreOnTheChangeUnlessTheNoiseKnowsItsSide) {
  constexpr std::size_t many = 20000;
  for (const NoiseModel& model : noise_models()) {
    if (model.knows_its_side || model.drift_per_slot > 0) continue;
    const SimulatedPairs pairs = pairs_of(model, 3, 0.05, many);
    const double standard_error = std::sqrt(sample_variance(pairs.differences) / many);
    EXPECT_NEAR(mean(pairs.differences), std::log(1.05), 5 * standard_error) << model.name;
  }
}

TEST(NoisyMachine, ProcessNoiseHasTheSizeOfItsModel) {
  const NoiseModel model{.name = "plain", .process_sd = 0.01};
  EXPECT_NEAR(std::sqrt(sample_variance(pairs_of(model, 5, 0, 20000).base)), 0.01, 0.0003);
}

TEST(NoiseModels, NamesAreUnique) {
  std::set<std::string> names;
  for (const NoiseModel& model : noise_models()) EXPECT_TRUE(names.insert(model.name).second) << model.name;
}

TEST(NoiseModels, ReadsRecordedTraces) {
  const auto folder = std::filesystem::temp_directory_path() / "stepgate_lab_traces";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.json") << R"({"name": "short", "values": [1, 2, 3]})";
  EXPECT_THROW(recorded_models(folder.string()), Error);
  std::ofstream trace(folder / "a.json");
  trace << R"({"name": "mlp", "values": [20e6)";
  for (int i = 1; i < 50; ++i) trace << "," << 20e6 + i;
  trace << "]}";
  trace.close();
  const auto models = recorded_models(folder.string());
  std::filesystem::remove_all(folder);
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models.front().name, "recorded-mlp");
  EXPECT_EQ(models.front().trace.size(), 50U);
  EXPECT_TRUE(recorded_models(folder.string()).empty());
}

}  // namespace
}  // namespace stepgate::lab

#include "lab/request_suites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.h"
#include "core/stored/metric_margins.h"
#include "stats/summary.h"

namespace stepgate::lab {
namespace {

std::vector<double> one_process(const RequestNoise& noise, std::uint64_t seed, const RequestFault& fault = {}) {
  RequestMachine machine(noise, seed);
  std::vector<double> latencies;
  machine.next_process(1000, fault, latencies);
  return latencies;
}

RequestSuites small_plan(const RequestNoise& noise) {
  return {.noise = noise,
          .mean_margins = margins_of(Policy{}, "latency_mean_ns"),
          .p99_margins = margins_of(Policy{}, "latency_p99_ns"),
          .hypotheses = 10,
          .suites = 4,
          .cases = 2};
}

TEST(RequestMachine, TheSameSeedGivesTheSameRequests) {
  for (const RequestNoise& noise : request_noises()) {
    EXPECT_EQ(one_process(noise, 7), one_process(noise, 7)) << noise.name;
    EXPECT_NE(one_process(noise, 7), one_process(noise, 8)) << noise.name;
  }
}

TEST(RequestMachine, TheShareOfSlowRequestsIsThatOfItsNoise) {
  const RequestNoise noise{
      .name = "runs", .process_sd = 0, .request_sd = 0.01, .slow_share = 0.1, .slow_size = 50, .slow_run = 5};
  std::int64_t slow = 0;
  RequestMachine machine(noise, 3);
  std::vector<double> latencies;
  for (int i = 0; i < 50; ++i) {
    machine.next_process(1000, {}, latencies);
    slow += std::count_if(latencies.begin(), latencies.end(), [](double latency) { return latency > 1.1; });
  }
  EXPECT_NEAR(static_cast<double>(slow) / 50'000, 0.1, 0.02);
}

TEST(RequestMachine, AParetoTailHasTheMeanOfItsNoise) {
  const RequestNoise noise{
      .name = "tail", .process_sd = 0, .request_sd = 0, .slow_share = 1, .slow_size = 0.5, .tail_index = 4};
  RequestMachine machine(noise, 3);
  std::vector<double> latencies;
  machine.next_process(200'000, {}, latencies);
  EXPECT_NEAR(mean(latencies), 1.5, 0.01);
}

TEST(RequestMachine, AStallHitsEachSoManyThRequest) {
  const RequestNoise quiet{.name = "quiet", .process_sd = 0, .request_sd = 0};
  const auto latencies = one_process(quiet, 1, {.stalled_each = 50, .stall_size = 4});
  EXPECT_EQ(std::count(latencies.begin(), latencies.end(), 5.0), 20);
  EXPECT_EQ(latencies[49], 5);
}

TEST(RequestSuites, AStallInEach50thRequestIsRedByP99AndInEach200thByTheMeanOnly) {
  const RequestNoise noise{.name = "requests-5%"};
  RequestSuites plan = small_plan(noise);
  plan.fault = {.stalled_each = 50, .stall_size = 5};
  const RequestOutcome frequent = simulate(plan);
  EXPECT_EQ(frequent.p99.regressed, frequent.p99.metrics);
  EXPECT_EQ(frequent.mean.regressed, frequent.mean.metrics);
  plan.fault = {.stalled_each = 200, .stall_size = 12};
  const RequestOutcome rare = simulate(plan);
  EXPECT_EQ(rare.mean.regressed, rare.mean.metrics);
  EXPECT_EQ(rare.highest_red, rare.mean.metrics);
  EXPECT_EQ(rare.p99.regressed, 0);
}

TEST(RequestSuites, UnchangedRequestsPass) {
  const RequestNoise noise{.name = "requests-5%"};
  const RequestOutcome outcome = simulate(small_plan(noise));
  EXPECT_EQ(outcome.red_suites, 0);
  EXPECT_EQ(outcome.mean.passed, outcome.mean.metrics);
  EXPECT_EQ(outcome.p99.metrics, 8);
}

TEST(RequestNoises, NamesAreUnique) {
  std::set<std::string> names;
  for (const RequestNoise& noise : request_noises()) EXPECT_TRUE(names.insert(noise.name).second) << noise.name;
}

TEST(RequestNoises, ReadsRecordedRequests) {
  const auto folder = std::filesystem::temp_directory_path() / "stepgate_lab_requests";
  std::filesystem::create_directories(folder);
  const auto write = [&](int processes) {
    std::ofstream file(folder / "a.json");
    file << R"({"name": "server", "processes": [)";
    for (int i = 0; i < processes; ++i) {
      file << (i == 0 ? "[" : ", [");
      for (int j = 0; j < 200; ++j) file << (j == 0 ? "" : ", ") << 1000 * i + j + 1;
      file << "]";
    }
    file << "]}";
  };
  write(15);
  EXPECT_THROW(recorded_requests(folder.string()), Error);
  write(16);
  const auto noises = recorded_requests(folder.string());
  std::filesystem::remove_all(folder);
  ASSERT_EQ(noises.size(), 1U);
  EXPECT_EQ(noises.front().name, "recorded-server");
  EXPECT_EQ(noises.front().recorded.size(), 16U);
  const auto latencies = one_process(noises.front(), 5);
  // All requests are of one process, and those of a block follow each other.
  const double process = std::floor((latencies.front() - 1) / 1000);
  EXPECT_TRUE(std::all_of(latencies.begin(), latencies.end(),
                          [&](double latency) { return std::floor((latency - 1) / 1000) == process; }));
  EXPECT_TRUE(latencies[1] == latencies[0] + 1 || latencies[1] == latencies[0] - 199);
  EXPECT_TRUE(recorded_requests(folder.string()).empty());
}

}  // namespace
}  // namespace stepgate::lab

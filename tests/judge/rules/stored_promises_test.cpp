// The promises of docs/design/verdicts.md, "Stored baselines", simulated: exchangeable sessions, fixed seeds, 20 cases
// with three gating metrics each. Independent metrics are the worst case for false reds; real metrics are correlated.
#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "judge/interval/decision.h"
#include "judge/interval/stored_estimate.h"

namespace stepgate {
namespace {

constexpr int suites = 2000;
constexpr int metrics_per_suite = 60;
constexpr int stored_sessions = 5;

struct Scenario {
  double change = 0;  ///< true relative change
  double spread = 0;  ///< true standard deviation between sessions, on the log scale
};

/// Fractions: of suites with any red, of metrics with each call.
struct Frequencies {
  double suites_red = 0;
  double red = 0;
  double passed = 0;
};

Call simulate_one(const Scenario& scenario, std::mt19937_64& generator, CriticalValueTable& table) {
  boost::random::normal_distribution<double> noise(0, scenario.spread);
  std::vector<double> sessions;
  for (int i = 0; i < stored_sessions; ++i) sessions.push_back(noise(generator));
  const double current = std::log1p(scenario.change) + noise(generator);
  const Estimate estimate = stored_estimate(current, sessions, Policy{}).estimate;
  return decide(estimate, Margins{}, table.at(estimate.degrees_of_freedom)).call;
}

Frequencies simulate(const Scenario& scenario) {
  std::mt19937_64 generator(20261121);
  CriticalValueTable table({.red = 0.05 / metrics_per_suite, .pass = 0.05});
  std::int64_t red_suites = 0, reds = 0, passes = 0;
  for (int suite = 0; suite < suites; ++suite) {
    std::int64_t reds_here = 0;
    for (int metric = 0; metric < metrics_per_suite; ++metric) {
      const Call call = simulate_one(scenario, generator, table);
      reds_here += call == Call::regressed;
      passes += call == Call::pass;
    }
    red_suites += reds_here > 0;
    reds += reds_here;
  }
  constexpr double all = static_cast<double>(suites) * metrics_per_suite;
  return {static_cast<double>(red_suites) / suites, static_cast<double>(reds) / all, static_cast<double>(passes) / all};
}

TEST(StoredPromises, AnUnchangedSuiteIsRedInAtMostFivePercent) {
  EXPECT_LE(simulate({.change = 0, .spread = 0.01}).suites_red, 0.05);
  EXPECT_LE(simulate({.change = 0, .spread = 0.02}).suites_red, 0.05);
}

TEST(StoredPromises, ASuiteAtTheIgnoreMarginIsRedInAtMostFivePercent) {
  EXPECT_LE(simulate({.change = 0.01, .spread = 0.01}).suites_red, 0.05);
  EXPECT_LE(simulate({.change = 0.01, .spread = 0.02}).suites_red, 0.05);
}

TEST(StoredPromises, AChangeThatMattersPassesInAtMostFivePercent) {
  // Six percent, although the promise is five: if the spread equals the prior's, the shrunk t quantile is not exact.
  EXPECT_LE(simulate({.change = 0.05, .spread = 0.01}).passed, 0.05);
  EXPECT_LE(simulate({.change = 0.05, .spread = 0.02}).passed, 0.06);
}

TEST(StoredPromises, AQuietUnchangedRunnerMostlyPasses) {
  EXPECT_GE(simulate({.change = 0, .spread = 0.005}).passed, 0.99);
  EXPECT_GE(simulate({.change = 0, .spread = 0.01}).passed, 0.85);
}

TEST(StoredPromises, ALargeChangeIsSeen) { EXPECT_GE(simulate({.change = 0.15, .spread = 0.01}).red, 0.95); }

}  // namespace
}  // namespace stepgate

#include "judge/studies/pooled_scatter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using Samples = std::vector<std::vector<double>>;

TEST(PooledScatter, WeighsVariancesByTheirDegreesOfFreedom) {
  const PooledScatter pooled = pooled_scatter({{0, 2}, {1, 1, 1}, {5}});
  EXPECT_NEAR(pooled.variance, (2.0 * 1 + 0.0 * 2) / 3, 1e-12);
  EXPECT_NEAR(pooled.freedom, 3 / 1.25, 1e-12) << "two samples with scatter";
  EXPECT_EQ(shared_variance({0, 2}, pooled), 2);
  EXPECT_EQ(shared_variance({1, 1, 1}, pooled), pooled.variance);
}

TEST(PooledScatter, NeedsASampleOfTwo) {
  EXPECT_EQ(pooled_scatter({}).freedom, 0);
  EXPECT_EQ(pooled_scatter({{1}, {}}).freedom, 0);
}

/// Six gains of four processes, each compared with the same baseline blocks, as in a profile.
class GainSimulation {
 public:
  explicit GainSimulation(double other) : other_(std::sqrt(other)) {}

  Samples draw() {
    Samples samples(6);
    for (int process = 0; process < 4; ++process) {
      const double baseline = normal_(generator_);
      for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i].push_back((i % 2 == 0 ? 1 : other_) * normal_(generator_) - baseline);
    }
    return samples;
  }

 private:
  double other_;
  std::mt19937_64 generator_{7};
  std::normal_distribution<double> normal_;
};

bool all_hold_zero(const Samples& samples) {
  const PooledScatter pooled = pooled_scatter(samples);
  const double t = student_t_upper_quantile(0.05 / static_cast<double>(samples.size()) / 2, pooled.freedom);
  for (const auto& sample : samples) {
    const double error = std::sqrt(shared_variance(sample, pooled) / static_cast<double>(sample.size()));
    if (std::abs(mean(sample)) > t * error) return false;
  }
  return true;
}

/// The claim is 95 %; 4000 draws have a standard error of 0.4 %.
TEST(PooledScatter, IntervalsOfAllGainsHoldTogether) {
  constexpr int trials = 4000;
  for (const double other : {1.0, 2.0, 9.0}) {
    GainSimulation simulation(other);
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) held += all_hold_zero(simulation.draw()) ? 1 : 0;
    EXPECT_GE(held, 0.94 * trials) << "variances 1:" << other;
  }
}

}  // namespace
}  // namespace stepgate

#include "diagnose/profile/step/account.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

std::map<std::string, double> parts_of(const ProfileInput& input) {
  std::map<std::string, double> parts;
  for (const AccountPart& part : profile_case(input).account) parts[part.part] = part.ns;
  return parts;
}

double sum_of(const std::map<std::string, double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const auto& each) { return sum + each.second; });
}

TEST(Account, SplitsOperatorsByTheirRoofAndAddsUpToTheStep) {
  const auto parts = parts_of(SampleProfileInput());
  EXPECT_NEAR(parts.at("data-wait"), 1e6, 1);
  EXPECT_NEAR(parts.at("logging"), 0.2e6, 1);
  EXPECT_NEAR(parts.at("compute-roof"), 3e6, 1);
  EXPECT_NEAR(parts.at("bandwidth-roof"), 1e6, 1);
  // One call of mm and of add at 1 us, 1000 us of all of empty's 1 ms: it cannot take more than itself.
  EXPECT_NEAR(parts.at("dispatch"), 1.002e6, 1);
  EXPECT_NEAR(parts.at("below-roof"), (4 - 3 - 0.001) * 1e6 + (2 - 1 - 0.001) * 1e6, 1);
  EXPECT_FALSE(parts.contains("h2d"));
  EXPECT_NEAR(sum_of(parts), SampleProfileInput::step_ns, 1e-3);
}

TEST(Account, OperatorsThatExceedTheStepAreShrunkToFit) {
  SampleProfileInput input;
  for (OperatorSite& site : input.run().observed->sites) site.self_ns = site.total_ns = 2 * site.self_ns;
  const auto parts = parts_of(input);
  EXPECT_NEAR(parts.at("other"), 0, 1e-3);
  // Each by the same factor: 8.8 ms are left for 8 + 4 + 2 ms, and the last are calls; 1 us each of the others.
  EXPECT_NEAR(parts.at("dispatch"), 2e6 * 8.8 / 14 + 2000, 1);
  EXPECT_NEAR(sum_of(parts), SampleProfileInput::step_ns, 1e-3);
}

TEST(Account, OfAGpuIsBusyOrIdleAndTheHostsWaitIsPartOfItsIdleTime) {
  SampleProfileInput input;
  input.on_gpu(7'000'000);
  const auto parts = parts_of(input);
  EXPECT_NEAR(parts.at("device-busy"), 7e6, 1);
  EXPECT_NEAR(parts.at("data-wait"), 1e6, 1);
  EXPECT_NEAR(parts.at("device-idle"), 2e6, 1);
  EXPECT_NEAR(sum_of(parts), SampleProfileInput::step_ns, 1e-3);
  input.on_gpu(9'600'000);
  EXPECT_NEAR(parts_of(input).at("data-wait"), 0.4e6, 1);  // the device worked while the host waited
}

TEST(Account, WithoutOperatorsTheRestIsOther) {
  SampleProfileInput input;
  input.profile.replicates.clear();
  const Profile profile = profile_case(input);
  EXPECT_NEAR(parts_of(input).at("other"), 8.8e6, 1);
  EXPECT_TRUE(profile.absent.contains("operators"));
}

/// An operator below the ridge that takes 2 ms and moves 1 MB.
OperatorRow sum_of_megabyte() {
  OperatorRow sum;
  sum.site.bytes = 1'000'000;
  sum.self_ns = 2e6;
  sum.roof_ns = 1e6;
  sum.below_ridge = true;
  return sum;
}

MachinePeaks with_levels(std::vector<BandwidthLevel> levels) {
  MachinePeaks peaks;
  peaks.bandwidth = std::move(levels);
  return peaks;
}

TEST(ShareOfBytes, CountsBytesBelowTheRidgeAtTheLowestRate) {
  const OperatorRow sum = sum_of_megabyte();
  OperatorRow product = sum;
  product.below_ridge = false;
  OperatorRow call = sum;
  call.overhead = true;
  const MachinePeaks peaks = with_levels({{1 << 20, 4e9}, {1 << 26, 2e9}});
  EXPECT_NEAR(share_of_bytes({sum, product, call}, peaks, {.step_ns = 10e6}), 0.05, 1e-9);
  EXPECT_NEAR(share_of_bytes({sum}, with_levels({{1 << 20, 1e8}}), {.step_ns = 10e6}), 0.2, 1e-9)
      << "no more than its time";
  EXPECT_EQ(share_of_bytes({sum}, {}, {.step_ns = 10e6}), 0) << "no rate was measured";
  EXPECT_EQ(share_of_bytes({sum}, peaks, {}), 0);
}

/// A step whose memory fits into a cache reads its bytes from there, until another core empties the cache.
TEST(ShareOfBytes, AStepThatFitsIntoACacheMovesItsBytesAtTheRateOfTheCache) {
  const MachinePeaks peaks = with_levels({{1 << 20, 4e9}, {1 << 22, 2.5e9}, {1 << 26, 2e9}});
  const auto share = [&](std::int64_t bytes) {
    return share_of_bytes({sum_of_megabyte()}, peaks, {.step_ns = 10e6, .working_set_bytes = bytes});
  };
  EXPECT_NEAR(share(1 << 20), 0.025, 1e-9);
  EXPECT_NEAR(share((1 << 20) + 1), 0.04, 1e-9);
  EXPECT_NEAR(share(1 << 26), 0.05, 1e-9);
  EXPECT_NEAR(share(1 << 27), 0.05, 1e-9) << "larger than all that was measured";
}

}  // namespace
}  // namespace stepgate

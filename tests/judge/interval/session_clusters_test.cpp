#include "judge/interval/session_clusters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stepgate {
namespace {

using testing::ElementsAre;

Session at(std::int64_t unix_s, std::vector<double> values = {1}) {
  Session result;
  result.unix_s = unix_s;
  result.timed["step_time_ns"] = std::move(values);
  return result;
}

std::vector<std::size_t> sizes(const std::vector<SessionCluster>& clusters) {
  std::vector<std::size_t> result;
  for (const SessionCluster& cluster : clusters) result.push_back(cluster.size());
  return result;
}

TEST(SessionClusters, CloserThanTheGapCountsAsOne) {
  EXPECT_THAT(sizes(session_clusters({at(0), at(1799)}, 1800)), ElementsAre(2));
  EXPECT_THAT(sizes(session_clusters({at(0), at(1800)}, 1800)), ElementsAre(1, 1));
}

TEST(SessionClusters, BackToBackIsOneSession) {
  EXPECT_THAT(sizes(session_clusters({at(0), at(60), at(120), at(180), at(240)}, 1800)), ElementsAre(5));
}

TEST(SessionClusters, TheGapRunsFromTheFirstOfACluster) {
  // Every 20 minutes: the third begins 40 minutes after the first and opens the next.
  EXPECT_THAT(sizes(session_clusters({at(0), at(1200), at(2400), at(3600), at(4800)}, 1800)), ElementsAre(2, 2, 1));
}

TEST(SessionClusters, TimeOrdersThemNotTheFile) {
  const std::vector<Session> sessions = {at(9000, {3}), at(0, {1}), at(100, {1})};
  EXPECT_THAT(sizes(session_clusters(sessions, 1800)), ElementsAre(2, 1));
}

TEST(SessionClusters, MergesByAveragingLogMeans) {
  const std::vector<Session> sessions = {at(0, {1, 1}), at(60, {std::exp(3.0)}), at(9000, {std::exp(2.0)})};
  const auto means = cluster_log_means(session_clusters(sessions, 1800), "step_time_ns");
  ASSERT_EQ(means.size(), 2u);
  EXPECT_DOUBLE_EQ(*means[0], 1.5);  // the mean of 0 and 3 for any number of replicates
  EXPECT_DOUBLE_EQ(*means[1], 2.0);
}

TEST(SessionClusters, SessionsWithoutTheMetricDoNotCount) {
  std::vector<Session> sessions = {at(0), at(9000)};
  sessions[0].timed.clear();
  const auto means = cluster_log_means(session_clusters(sessions, 1800), "step_time_ns");
  EXPECT_THAT(means, ElementsAre(std::nullopt, testing::Optional(0.0)));
}

TEST(LogMean, AveragesLogarithms) { EXPECT_DOUBLE_EQ(*log_mean(std::vector{1.0, std::exp(4.0)}), 2.0); }

TEST(LogMean, OfWhatHasNoLogarithmIsAbsent) {
  EXPECT_FALSE(log_mean(std::vector<double>{}));
  EXPECT_FALSE(log_mean(std::vector{1.0, 0.0}));
  EXPECT_FALSE(log_mean(std::vector{1.0, -2.0}));
  EXPECT_FALSE(log_mean(std::vector{1.0, std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(log_mean(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace
}  // namespace stepgate

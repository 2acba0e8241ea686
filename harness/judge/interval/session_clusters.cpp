#include "judge/interval/session_clusters.h"

#include <algorithm>
#include <cmath>

#include "stats/summary.h"

namespace stepgate {

std::vector<SessionCluster> session_clusters(const std::vector<Session>& sessions, double gap_s) {
  std::vector<const Session*> by_time;
  by_time.reserve(sessions.size());
  for (const Session& session : sessions) by_time.push_back(&session);
  std::stable_sort(by_time.begin(), by_time.end(),
                   [](const Session* a, const Session* b) { return a->unix_s < b->unix_s; });
  std::vector<SessionCluster> clusters;
  for (const Session* session : by_time) {
    const bool joins =
        !clusters.empty() && static_cast<double>(session->unix_s - clusters.back().front()->unix_s) < gap_s;
    if (!joins) clusters.emplace_back();
    clusters.back().push_back(session);
  }
  return clusters;
}

std::optional<double> log_mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (double value : values) {
    if (!(value > 0) || !std::isfinite(value)) return std::nullopt;
    sum += std::log(value);
  }
  return sum / static_cast<double>(values.size());
}

std::vector<std::optional<double>> cluster_log_means(const std::vector<SessionCluster>& clusters,
                                                     const std::string& metric) {
  std::vector<std::optional<double>> result;
  result.reserve(clusters.size());
  for (const SessionCluster& cluster : clusters) {
    std::vector<double> session_means;
    for (const Session* session : cluster) {
      const auto values = session->timed.find(metric);
      if (values == session->timed.end()) continue;
      if (const auto value = log_mean(values->second)) session_means.push_back(*value);
    }
    result.push_back(session_means.empty() ? std::nullopt : std::optional(mean(session_means)));
  }
  return result;
}

}  // namespace stepgate

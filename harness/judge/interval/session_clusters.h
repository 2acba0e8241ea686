// Stored sessions as independent observations. Sessions close together share the state of the machine: five sessions in
// a row, counted as five, gave 57 % false reds in simulation (docs/design/verdicts.md, "Stored baselines").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/stored/baseline.h"

namespace stepgate {

/// Sessions that count as one observation.
using SessionCluster = std::vector<const Session*>;

/// Groups sessions by time. A session that began less than `gap_s` after the FIRST session of the current cluster joins
/// that cluster; any other opens the next one. So the clusters begin at least `gap_s` apart, and a runner that measures
/// every few minutes still collects observations over a day. The result refers to `sessions`.
std::vector<SessionCluster> session_clusters(const std::vector<Session>& sessions, double gap_s);

/// Mean of ln(value); absent for an empty span or a value that is not positive and finite.
std::optional<double> log_mean(std::span<const double> values);

/// For each cluster the mean over its sessions of log_mean() of `metric`; absent if none of its sessions has one.
std::vector<std::optional<double>> cluster_log_means(const std::vector<SessionCluster>& clusters,
                                                     const std::string& metric);

}  // namespace stepgate

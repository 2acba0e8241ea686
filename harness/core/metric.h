// The catalogue of every metric that stepgate knows: its rows are in core/catalogue. The record format, the reduction,
// the merge of ranks, the judge and the report read everything about a counter from its row there.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric_row.h"

namespace stepgate {

/// Every known metric, in the order in which reports list them.
std::span<const Metric> metric_catalogue();

/// The row of that metric; for a member of a family ("loss[discriminator]") the row of its family. nullptr if no metric
/// has that name.
const Metric* find_metric(std::string_view name);

/// True for the row of a family, which is not a metric itself.
bool is_family(const Metric& metric);
/// ("loss[*]", "discriminator") -> "loss[discriminator]".
std::string member_of(std::string_view family, std::string_view member);
/// "loss[discriminator]" -> "discriminator"; "" for a metric that is not a member of a family.
std::string_view member_name(std::string_view metric);
/// The name in reports: "step time", "discriminator loss"; `metric` itself where the catalogue does not know it.
std::string label_of(std::string_view metric);
/// MetricUnit::none where the catalogue does not know it.
MetricUnit unit_of(std::string_view metric);
/// The catalogue's metrics among these names, in its order, members of a family each with its own name. They refer to
/// the names.
std::vector<Metric> known_metrics(const std::set<std::string_view>& names);
/// Whether the metric is the time of a boundary.
bool is_boundary_time(std::string_view metric);
/// Whether it is a latency, or the time of a token.
bool is_latency(std::string_view metric);
/// Whether it is a latency that explains: a percentile, the longest request, the time of a token.
bool is_explaining_latency(std::string_view metric);

/// The first metric that is computed from that series of MemoryProfile; nullptr if there is none.
const Metric* find_series(std::string_view series);

std::string_view name_of(Tier tier);
std::string_view name_of(Direction direction);
std::string_view name_of(Scope scope);

}  // namespace stepgate

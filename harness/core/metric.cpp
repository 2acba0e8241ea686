#include "core/metric.h"

#include <algorithm>
#include <array>

#include "core/boundary.h"
#include "core/catalogue/counted_metrics.h"
#include "core/catalogue/held_metrics.h"
#include "core/catalogue/inference_metrics.h"
#include "core/catalogue/latency_metrics.h"
#include "core/catalogue/memory_metrics.h"
#include "core/catalogue/numeric_metrics.h"
#include "core/catalogue/timed_metrics.h"

namespace stepgate {
namespace {

template <std::size_t... sizes>
constexpr auto joined(const std::array<Metric, sizes>&... parts) {
  std::array<Metric, (sizes + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return all;
}

/// The order is the one in which reports list metrics.
constexpr auto all_metrics = joined(
    catalogue::counted_metrics, catalogue::inference_metrics, catalogue::memory_metrics, catalogue::held_metrics,
    catalogue::numeric_metrics, catalogue::gating_times, catalogue::gating_device_times, catalogue::gating_latencies,
    catalogue::boundary_times(), catalogue::explaining_latencies, catalogue::explaining_times);

constexpr std::string_view family_end = "[*]";

/// "loss[" of "loss[*]" and of "loss[discriminator]"; "" of a metric that is neither.
std::string_view family_begin(std::string_view metric) {
  const std::size_t bracket = metric.find('[');
  return bracket == std::string_view::npos || !metric.ends_with(']') ? "" : metric.substr(0, bracket + 1);
}

}  // namespace

std::span<const Metric> metric_catalogue() { return all_metrics; }

bool is_family(const Metric& metric) { return metric.name.ends_with(family_end); }

const Metric* find_metric(std::string_view name) {
  const std::string_view member = member_name(name);
  for (const Metric& metric : all_metrics) {
    const bool found =
        is_family(metric) ? !member.empty() && family_begin(metric.name) == family_begin(name) : metric.name == name;
    if (found) return &metric;
  }
  return nullptr;
}

std::string member_of(std::string_view family, std::string_view member) {
  return std::string(family_begin(family)) + std::string(member) + "]";
}

std::string_view member_name(std::string_view metric) {
  const std::size_t begin = family_begin(metric).size();
  if (begin == 0) return "";
  const std::string_view member = metric.substr(begin, metric.size() - begin - 1);
  return refused_boundary_name(member).empty() ? member : "";
}

std::string label_of(std::string_view metric) {
  const Metric* known = find_metric(metric);
  if (known == nullptr) return std::string(metric);
  std::string label(known->label);
  const std::size_t star = label.find('*');
  return star == std::string::npos ? label : label.replace(star, 1, member_name(metric));
}

MetricUnit unit_of(std::string_view metric) {
  const Metric* known = find_metric(metric);
  return known == nullptr ? MetricUnit::none : known->unit;
}

std::vector<Metric> known_metrics(const std::set<std::string_view>& names) {
  std::vector<Metric> known;
  for (const Metric& row : all_metrics) {
    if (!is_family(row)) {
      if (names.contains(row.name)) known.push_back(row);
      continue;
    }
    for (const std::string_view name : names) {
      if (family_begin(name) != family_begin(row.name) || member_name(name).empty()) continue;
      known.push_back(row);
      known.back().name = name;
    }
  }
  return known;
}

bool is_boundary_time(std::string_view metric) {
  const Metric* row = find_metric(metric);
  return row != nullptr && (row->name == own_boundary_family ||
                            std::any_of(boundary_table.begin(), boundary_table.end(),
                                        [&](const BoundaryRow& boundary) { return boundary.metric == row->name; }));
}

bool is_latency(std::string_view metric) {
  return is_explaining_latency(metric) ||
         std::any_of(catalogue::gating_latencies.begin(), catalogue::gating_latencies.end(),
                     [&](const Metric& row) { return row.name == metric; });
}

bool is_explaining_latency(std::string_view metric) {
  return std::any_of(catalogue::explaining_latencies.begin(), catalogue::explaining_latencies.end(),
                     [&](const Metric& row) { return row.name == metric && row.unit == MetricUnit::ns; });
}

const Metric* find_series(std::string_view series) {
  for (const Metric& metric : all_metrics) {
    if (!metric.series.empty() && metric.series == series) return &metric;
  }
  return nullptr;
}

std::string_view name_of(Tier tier) {
  constexpr std::array<std::string_view, 4> names = {"exact", "bytes", "timed", "numeric"};
  return names[static_cast<std::size_t>(tier)];
}

std::string_view name_of(Direction direction) {
  constexpr std::array<std::string_view, 3> names = {"lower_is_better", "higher_is_better", "neither"};
  return names[static_cast<std::size_t>(direction)];
}

std::string_view name_of(Scope scope) {
  constexpr std::array<std::string_view, 3> names = {"portable", "runner", "device"};
  return names[static_cast<std::size_t>(scope)];
}

}  // namespace stepgate

#include "diagnose/work/device_call_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/kernels/launch_name.h"
#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

using Calls = std::map<std::string, std::int64_t>;
using ByMetric = std::map<std::string, std::map<std::string, Calls>>;

/// The most calls that fit on a line.
constexpr std::size_t named_calls = 3;

Calls calls_in(const ByMetric& calls, const std::string& metric, const std::string& boundary) {
  const auto boundaries = calls.find(metric);
  if (boundaries == calls.end()) return {};
  const auto at = boundaries->second.find(boundary);
  return at == boundaries->second.end() ? Calls{} : at->second;
}

/// A side that counted calls of this metric and has no names for them was recorded by an older version.
bool names_calls(const ByMetric& calls, const std::map<std::string, Calls>& by_boundary, const std::string& metric) {
  const auto totals = by_boundary.find(metric);
  return calls.contains(metric) || totals == by_boundary.end() ||
         std::none_of(totals->second.begin(), totals->second.end(), [](const auto& total) { return total.second > 0; });
}

double per_step(const Calls& calls, const std::string& call, std::size_t steps) {
  const auto at = calls.find(call);
  return at == calls.end() || steps == 0 ? 0 : static_cast<double>(at->second) / static_cast<double>(steps);
}

}  // namespace

std::vector<DeviceCallChange> device_call_changes(const JudgedComparison& input, const std::string& metric,
                                                  const std::string& boundary) {
  const Baseline* baseline = work_baseline(input);
  const auto& counts = input.current.counts;
  if (baseline == nullptr || baseline->device_calls.empty() || counts.device_calls.empty()) return {};
  if (!names_calls(baseline->device_calls, baseline->counts_by_boundary, metric) ||
      !names_calls(counts.device_calls, counts.by_boundary, metric))
    return {};
  const Calls before = calls_in(baseline->device_calls, metric, boundary);
  const Calls now = calls_in(counts.device_calls, metric, boundary);
  Calls all = before;
  all.insert(now.begin(), now.end());
  std::vector<DeviceCallChange> changes;
  for (const auto& [call, total] : all) {
    const double change =
        per_step(now, call, counted_steps(counts.per_step)) - per_step(before, call, counted_steps(baseline->exact));
    if (change != 0) changes.push_back({call, change});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const DeviceCallChange& a, const DeviceCallChange& b) { return a.change > b.change; });
  return changes;
}

std::string device_calls_text(const std::vector<DeviceCallChange>& changes, double factor) {
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), named_calls); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", difference_text(MetricUnit::count, factor * changes[i].change),
                        changes[i].call);
  }
  if (changes.size() > named_calls) text += fmt::format(" (and {} more)", changes.size() - named_calls);
  return text;
}

std::string added_launch_text(const JudgedComparison& input, const std::string& metric,
                              const std::vector<std::string>& boundaries) {
  if (metric != own_kernels_metric && metric != library_calls_metric) return "";
  DeviceCallChange most;
  for (const std::string& boundary : boundaries) {
    const auto changes = device_call_changes(input, metric, boundary);
    if (!changes.empty() && changes.front().change > most.change) most = changes.front();
  }
  return most.call.empty() ? "" : fmt::format(" ({})", most.call);
}

}  // namespace stepgate

#include "diagnose/boundary_shares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "core/boundary.h"
#include "core/metric.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

using Totals = std::map<std::string, std::int64_t>;

double per_step(const Totals& totals, const std::string& boundary, std::size_t steps) {
  const auto at = totals.find(boundary);
  return at == totals.end() || steps == 0 ? 0 : static_cast<double>(at->second) / static_cast<double>(steps);
}

/// A side without this metric held, copied or read nothing in any boundary.
Totals totals_of(const std::map<std::string, Totals>& by_boundary, const std::string& metric) {
  const auto at = by_boundary.find(metric);
  return at == by_boundary.end() ? Totals{} : at->second;
}

}  // namespace

std::vector<std::string> boundary_names(const JudgedComparison& input) {
  std::vector<std::string> names = input.current.boundaries.names();
  const auto add = [&](std::string_view name) {
    const bool listed = std::find(names.begin(), names.end(), name) != names.end();
    if (!listed && !name.empty()) names.emplace_back(name);
  };
  const Baseline* work = work_baseline(input);
  if (work != nullptr) {
    for (const auto& [name, bytes] : work->peak_by_boundary) add(name);
    for (const auto& [metric, totals] : work->counts_by_boundary) {
      for (const auto& [name, total] : totals) add(name);
    }
  }
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (is_boundary_time(verdict.metric)) add(member_name(verdict.metric));
  }
  return names;
}

std::string boundary_time_metric(const std::string& boundary) {
  const auto of_table = boundary_named(boundary);
  return of_table ? std::string(row_of(*of_table).metric) : member_of(own_boundary_family, boundary);
}

std::vector<BoundaryShare> changed_shares(const JudgedComparison& input, const std::string& metric) {
  const Baseline* baseline = work_baseline(input);
  std::vector<BoundaryShare> shares;
  if (baseline == nullptr) return shares;
  const Totals before = totals_of(baseline->counts_by_boundary, metric);
  const Totals now = totals_of(input.current.counts.by_boundary, metric);
  const std::size_t steps_before = counted_steps(baseline->exact);
  const std::size_t steps_now = counted_steps(input.current.counts.per_step);
  for (const std::string& name : boundary_names(input)) {
    const double change = per_step(now, name, steps_now) - per_step(before, name, steps_before);
    if (change != 0) shares.push_back({name, change});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const BoundaryShare& a, const BoundaryShare& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  return shares;
}

std::vector<BoundaryShare> peak_changes(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  std::vector<BoundaryShare> changes;
  if (baseline == nullptr) return changes;
  for (const std::string& name : boundary_names(input)) {
    const auto before = baseline->peak_by_boundary.find(name);
    const auto now = input.current.peak_by_boundary.find(name);
    if (before == baseline->peak_by_boundary.end() || now == input.current.peak_by_boundary.end()) continue;
    changes.push_back({name, static_cast<double>(now->second - before->second)});
  }
  return changes;
}

double share_of(const std::vector<BoundaryShare>& shares, const std::string& boundary) {
  for (const BoundaryShare& share : shares) {
    if (share.boundary == boundary) return share.change;
  }
  return 0;
}

}  // namespace stepgate

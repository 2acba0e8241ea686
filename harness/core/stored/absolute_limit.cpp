#include "core/stored/absolute_limit.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/metric.h"
#include "core/stored/case_budgets.h"
#include "core/stored/varying_metric.h"

namespace stepgate {
namespace {

constexpr std::array<std::string_view, 3> kind_names = {"floor", "budget", "target"};

bool holds_for(const CaseLimit& entry, const LimitedCase& limited) {
  const bool of_class = entry.runner_class.empty() || entry.runner_class == limited.runner_class;
  return of_class && matches_pattern(entry.cases, limited.name);
}

bool wants_more(std::string_view metric) {
  const Metric* known = find_metric(metric);
  return known != nullptr && known->direction == Direction::higher_is_better;
}

/// Metric -> its strictest limit.
using Strictest = std::map<std::string, double>;

void add_strictest(const std::string& metric, double value, Strictest& limits) {
  const auto [at, is_new] = limits.emplace(metric, value);
  if (!is_new) at->second = wants_more(metric) ? std::max(at->second, value) : std::min(at->second, value);
}

void add_entries(const std::vector<CaseLimit>& entries, const LimitedCase& limited, Strictest& limits) {
  for (const CaseLimit& entry : entries) {
    if (holds_for(entry, limited)) add_strictest(entry.metric, entry.value, limits);
  }
}

void append(AbsoluteLimitKind kind, const Strictest& limits, std::vector<AbsoluteLimit>& all) {
  for (const auto& [metric, value] : limits) all.push_back({.kind = kind, .metric = metric, .value = value});
}

}  // namespace

std::string_view name_of(AbsoluteLimitKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<AbsoluteLimitKind> absolute_limit_kind_named(std::string_view name) {
  const auto at = std::find(kind_names.begin(), kind_names.end(), name);
  if (at == kind_names.end()) return std::nullopt;
  return static_cast<AbsoluteLimitKind>(at - kind_names.begin());
}

std::vector<AbsoluteLimit> limits_of(const Policy& policy, const LimitedCase& limited) {
  Strictest floors, budgets = budgets_of(policy, limited.name), targets;
  add_entries(policy.floors, limited, floors);
  add_entries(policy.case_budgets, limited, budgets);
  add_entries(policy.targets, limited, targets);
  std::vector<AbsoluteLimit> all;
  append(AbsoluteLimitKind::floor, floors, all);
  append(AbsoluteLimitKind::budget, budgets, all);
  append(AbsoluteLimitKind::target, targets, all);
  return all;
}

bool is_lower_limit(const AbsoluteLimit& limit) {
  if (limit.kind == AbsoluteLimitKind::target) return wants_more(limit.metric);
  return limit.kind == AbsoluteLimitKind::floor;
}

bool keeps(const AbsoluteLimit& limit, double value) {
  return is_lower_limit(limit) ? value >= limit.value : value <= limit.value;
}

}  // namespace stepgate

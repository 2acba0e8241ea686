#include "baseline/limits/case_limit_changes.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "baseline/limits/limit_texts.h"
#include "core/stored/varying_metric.h"

namespace stepgate {
namespace {

/// "samples_per_s", "samples_per_s on h200-16c"
std::string name_of_limit(const CaseLimit& limit) {
  return limit.runner_class.empty() ? limit.metric : fmt::format("{} on {}", limit.metric, limit.runner_class);
}

/// A limit that is not there: no value is beyond it.
double nothing_of(AbsoluteLimitKind kind) {
  const double infinity = std::numeric_limits<double>::infinity();
  return kind == AbsoluteLimitKind::floor ? -infinity : infinity;
}

Looser looser_of(AbsoluteLimitKind kind) {
  switch (kind) {
    case AbsoluteLimitKind::floor:
      return Looser::lower;
    case AbsoluteLimitKind::budget:
      return Looser::higher;
    case AbsoluteLimitKind::target:
      break;
  }
  return Looser::unknown;
}

/// Metric and runner class -> the strictest value for that case.
std::map<std::string, double> limits_in(const std::vector<CaseLimit>& entries, AbsoluteLimitKind kind,
                                        const std::string& case_name) {
  std::map<std::string, double> limits;
  for (const CaseLimit& entry : entries) {
    if (!matches_pattern(entry.cases, case_name)) continue;
    const auto [at, is_new] = limits.emplace(name_of_limit(entry), entry.value);
    const bool stricter = keeps({.kind = kind, .metric = entry.metric, .value = at->second}, entry.value);
    if (!is_new && stricter) at->second = entry.value;
  }
  return limits;
}

double value_or(const std::map<std::string, double>& limits, const std::string& name, double absent) {
  const auto at = limits.find(name);
  return at == limits.end() ? absent : at->second;
}

}  // namespace

std::vector<NumberChange> case_limit_changes(const CaseLimitSides& sides) {
  using Values = std::pair<double, double>;
  std::map<std::string, std::map<Values, std::vector<std::string>>> changes;
  const double nothing = nothing_of(sides.kind);
  for (const std::string& name : sides.cases) {
    const auto before = limits_in(sides.base, sides.kind, name), after = limits_in(sides.head, sides.kind, name);
    std::set<std::string> limits;
    for (const auto& [limit, value] : before) limits.insert(limit);
    for (const auto& [limit, value] : after) limits.insert(limit);
    for (const std::string& limit : limits) {
      const Values values{value_or(before, limit, nothing), value_or(after, limit, nothing)};
      if (values.first != values.second) changes[limit][values].push_back(name);
    }
  }
  std::vector<NumberChange> found;
  for (const auto& [limit, by_values] : changes) {
    for (const auto& [values, names] : by_values) {
      found.push_back({.key = fmt::format("{}.{}", sides.key, limit),
                       .before = values.first,
                       .after = values.second,
                       .looser = looser_of(sides.kind),
                       .note = cases_text(names)});
    }
  }
  return found;
}

}  // namespace stepgate

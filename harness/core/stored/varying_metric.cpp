#include "core/stored/varying_metric.h"

#include <algorithm>

namespace stepgate {
namespace {

bool names(const VaryingMetrics& entry, std::string_view case_name, std::string_view metric) {
  return matches_pattern(entry.cases, case_name) &&
         std::any_of(entry.metrics.begin(), entry.metrics.end(),
                     [&](const std::string& pattern) { return matches_pattern(pattern, metric); });
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t after_star = std::string_view::npos;  // where to go on in the pattern when a guess was wrong
  std::size_t guessed = 0;                          // up to where the last * reaches in the name
  std::size_t next = 0;
  while (next < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      after_star = ++at;
      guessed = next;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[next])) {
      ++at;
      ++next;
    } else if (after_star != std::string_view::npos) {
      at = after_star;
      next = ++guessed;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool may_vary(const Metric& metric) {
  const bool is_compared = metric.reference != Reference::nothing && metric.reference != Reference::always_zero;
  return metric.tier != Tier::timed && is_compared && metric.name != "final_loss";
}

std::set<std::string> varying_metrics(const std::vector<VaryingMetrics>& entries, std::string_view case_name) {
  std::set<std::string> found;
  for (const Metric& metric : metric_catalogue()) {
    const bool named = std::any_of(entries.begin(), entries.end(),
                                   [&](const VaryingMetrics& entry) { return names(entry, case_name, metric.name); });
    if (named && may_vary(metric)) found.emplace(metric.name);
  }
  for (const VaryingMetrics& entry : entries) {
    for (const std::string& metric : entry.metrics) {
      if (!member_name(metric).empty() && names(entry, case_name, metric)) found.insert(metric);
    }
  }
  return found;
}

bool varies(const std::set<std::string>& varying, std::string_view metric) {
  if (varying.contains(std::string(metric))) return true;
  const Metric* row = member_name(metric).empty() ? nullptr : find_metric(metric);
  return row != nullptr && varying.contains(std::string(row->name));
}

std::string reason_to_vary(const std::vector<VaryingMetrics>& entries, std::string_view case_name,
                           std::string_view metric) {
  for (const VaryingMetrics& entry : entries) {
    if (names(entry, case_name, metric)) return entry.reason;
  }
  return "";
}

}  // namespace stepgate

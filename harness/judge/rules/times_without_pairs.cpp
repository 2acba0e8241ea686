#include "judge/rules/times_without_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/text/number_format.h"
#include "judge/interval/session_clusters.h"
#include "judge/rules/comparable.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

const std::vector<double>* timed_values(const CaseValues& side, std::string_view metric) {
  const auto at = side.timed.find(std::string(metric));
  return at == side.timed.end() || at->second.empty() ? nullptr : &at->second;
}

/// True if every timed process of this side was discarded. The metric is then not missing: it needs more processes.
bool all_discarded(const CaseValues& side) { return side.tainted > 0 && side.clean_timed == 0; }

/// The geometric mean; for ratios, which may be zero or negative, the arithmetic mean.
std::optional<double> mean_value(const std::vector<double>& values) {
  if (const auto log = log_mean(values)) return std::exp(*log);
  const bool finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  return finite ? std::optional(mean(values)) : std::nullopt;
}

std::string figures_of(const Metric& metric, const MetricVerdict& verdict) {
  std::string text = fmt::format("{} -> {}", quantity_text(metric.unit, *verdict.baseline),
                                 quantity_text(metric.unit, *verdict.current));
  if (*verdict.baseline > 0) text += fmt::format(", {:.3f} times the first", *verdict.current / *verdict.baseline);
  return text;
}

void fill_means(const Metric& metric, const Comparison& input, MetricVerdict& verdict) {
  verdict.baseline = mean_value(*timed_values(*earlier_values(input), metric.name));
  verdict.current = mean_value(*timed_values(input.current, metric.name));
  if (!verdict.baseline || !verdict.current || !(*verdict.baseline > 0) || !(*verdict.current > 0)) return;
  verdict.change = *verdict.current / *verdict.baseline - 1;
}

}  // namespace

MetricVerdict compare_without_pairs(const Metric& metric, const Comparison& input) {
  const CaseValues& base = *earlier_values(input);
  const CaseValues& head = input.current;
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  for (const auto& [side, name] : {std::pair(&base, "first"), std::pair(&head, "second")}) {
    if (!all_discarded(*side)) continue;
    settle(verdict, Status::inconclusive, ReasonCode::too_few_clean_replicates,
           fmt::format("the {} measurement has no clean timed process; {} discarded", name, side->tainted));
    return verdict;
  }
  const Presence presence{metric, timed_values(head, metric.name) != nullptr,
                          timed_values(base, metric.name) != nullptr};
  if (auto early = without_comparison(presence, timed_side(input), head)) return *early;
  fill_means(metric, input, verdict);
  if (!verdict.baseline || !verdict.current) {
    settle(verdict, Status::failed, ReasonCode::not_positive, "a measured time is not finite");
  } else if (verdict.gating) {
    settle(verdict, Status::inconclusive, ReasonCode::no_pairs,
           figures_of(metric, verdict) + "; a decision needs pairs");
  } else {
    settle(verdict, Status::not_judged, ReasonCode::not_tested, figures_of(metric, verdict));
  }
  return verdict;
}

}  // namespace stepgate

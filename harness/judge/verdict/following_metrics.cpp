#include "judge/verdict/following_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/stored/metric_margins.h"
#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "judge/rules/following_rule.h"
#include "judge/rules/stored_rule.h"

namespace stepgate {
namespace {

/// A loader that supplies so many times what the training takes costs a fiftieth of a step: twice as slow, another 2 %,
/// which the step time shows (docs/decisions/0039).
constexpr double plenty = 50;

/// Its row, where the policy does not demand a decision on it; else nullptr.
const Metric* following_row(const MetricVerdict& verdict, const Policy& policy) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->follows && !policy.must_decide.contains(verdict.metric) ? metric : nullptr;
}

bool is_asked(const MetricVerdict& verdict, const PairedContext& context) {
  return pairs_of(context.input)->asked.contains(verdict.metric);
}

/// A loader that no step of any process waited for.
bool is_plenty(const Metric& metric, const PairedContext& context) {
  if (metric.name != "loader_samples_per_s") return false;
  const auto& timed = pairs_of(context.input)->timed;
  const auto supply = timed.find(std::string(metric.name));
  const auto ratio = timed.find("supply_ratio");  // absent without a loader pass or a synthetic one
  if (supply == timed.end() || ratio == timed.end() || ratio->second.size() != supply->second.size()) return false;
  return std::all_of(ratio->second.begin(), ratio->second.end(),
                     [](const Pair& pair) { return std::min(pair.base, pair.head) >= plenty; });
}

bool withholds_nothing(const Metric& metric, const PairedContext& context) {
  return metric.never_withholds || is_plenty(metric, context);
}

/// nullptr also for a metric that the pairs were measured for, unless its time withholds no verdict anyway.
const Metric* following_row(const MetricVerdict& verdict, const PairedContext& context) {
  const Metric* metric = following_row(verdict, context.input.policy);
  const bool leads = metric == nullptr || (is_asked(verdict, context) && !withholds_nothing(*metric, context));
  return leads ? nullptr : metric;
}

template <typename Context>
bool leading_are_decided(const Context& context, const std::vector<MetricVerdict>& verdicts) {
  bool decided = false;
  for (const MetricVerdict& verdict : verdicts) {
    if (!verdict.gating || verdict.status == Status::not_judged || following_row(verdict, context) != nullptr) continue;
    const bool is_decided =
        verdict.status == Status::pass || verdict.status == Status::improved || verdict.status == Status::regressed;
    if (!is_decided) return false;
    decided = true;
  }
  return decided;
}

bool may_be_red_at(std::int64_t pairs, const PairRule& rule) {
  const auto& analyses = rule.plan().analyses;
  return std::any_of(analyses.begin(), analyses.end(), [&](const InterimAnalysis& analysis) {
    return analysis.pairs <= pairs && analysis.red_weight > 0;
  });
}

/// "...; not judged, too noisy here: 32 processes lie between 11.0 ms and 95.2 ms". `values` is not empty.
void settle_too_noisy(const Metric& metric, const std::string& figures, const std::vector<double>& values,
                      MetricVerdict& verdict) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  verdict.more_replicates.reset();
  settle(verdict, Status::not_judged, ReasonCode::too_noisy,
         fmt::format("{}; not judged, too noisy here: {} lie between {} and {}", figures,
                     counted(std::ssize(values), "process", "processes"), quantity_text(metric.unit, *least),
                     quantity_text(metric.unit, *most)));
}

std::vector<double> values_of_pairs(const PairedContext& context, const std::string& metric) {
  std::vector<double> values;
  for (const Pair& pair : pairs_of(context.input)->timed.at(metric)) {
    values.push_back(pair.base);
    values.push_back(pair.head);
  }
  return values;
}

void leave_undecided(const Metric& metric, const PairedContext& context, MetricVerdict& verdict) {
  const auto comparison = compare_pairs(metric, context);
  if (!comparison) return;
  const Margins margins = margins_of(context.input.policy, verdict.metric);
  const std::string figures = describe(*comparison, verdict);
  if (withholds_nothing(metric, context) && comparison->decision.reason != ReasonCode::constant_differences) {
    const bool too_early =
        is_asked(verdict, context) && !may_be_red_at(comparison->decision.analysis, context.following_rule);
    if (too_early || !is_too_noisy(comparison->decision, margins)) return;
    settle_too_noisy(metric, figures, values_of_pairs(context, verdict.metric), verdict);
  } else if (may_stay_undecided(comparison->decision, margins)) {
    verdict.gating = false;
    settle(verdict, Status::inconclusive, ReasonCode::left_undecided,
           fmt::format("{}; left undecided, since the {} is decided and nothing says that this is worse", figures,
                       is_latency(verdict.metric) ? "mean latency" : "step time"));
  }
}

/// A queue that grew in some pairs is no noise of the others.
bool is_open(const MetricVerdict& verdict) {
  return verdict.gating && verdict.status == Status::inconclusive && verdict.reason != ReasonCode::queue_unstable;
}

}  // namespace

void leave_following_undecided(const PairedContext& context, std::vector<MetricVerdict>& verdicts) {
  if (!leading_are_decided(context, verdicts)) return;
  for (MetricVerdict& verdict : verdicts) {
    const Metric* metric = following_row(verdict, context);
    if (metric != nullptr && is_open(verdict)) leave_undecided(*metric, context, verdict);
  }
}

void leave_too_noisy_unjudged(TimedContext& context, std::vector<MetricVerdict>& verdicts) {
  const Policy& policy = context.input.policy;
  if (!leading_are_decided(policy, verdicts)) return;
  for (MetricVerdict& verdict : verdicts) {
    const Metric* metric = following_row(verdict, policy);
    const bool may_be = metric != nullptr && metric->never_withholds && is_open(verdict) &&
                        verdict.reason == ReasonCode::interval_too_wide;
    if (!may_be || looks_worse_than_stored(*metric, context)) continue;
    settle_too_noisy(*metric, verdict.detail, context.input.current.timed.at(verdict.metric), verdict);
  }
}

}  // namespace stepgate

#include "judge/verdict/following_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/comparable.h"
#include "judge/rules/following_rule.h"
#include "judge/rules/timed_comparison.h"

namespace stepgate {
namespace {

bool is_following(const MetricVerdict& verdict, const PairedContext& context) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->follows && !pairs_of(context.input)->asked.contains(verdict.metric);
}

bool leading_are_decided(const PairedContext& context, const std::vector<MetricVerdict>& verdicts) {
  bool decided = false;
  for (const MetricVerdict& verdict : verdicts) {
    if (!verdict.gating || verdict.status == Status::not_judged || is_following(verdict, context)) continue;
    const bool is_decided =
        verdict.status == Status::pass || verdict.status == Status::improved || verdict.status == Status::regressed;
    if (!is_decided) return false;
    decided = true;
  }
  return decided;
}

void leave_undecided(const PairedContext& context, MetricVerdict& verdict) {
  const auto comparison = compare_pairs(*find_metric(verdict.metric), context);
  if (!comparison || !may_stay_undecided(comparison->decision, margins_of(context.input.policy, verdict.metric)))
    return;
  verdict.gating = false;
  settle(verdict, Status::inconclusive, ReasonCode::left_undecided,
         fmt::format("{}; left undecided, since the step time is decided and nothing says that this is worse",
                     describe(*comparison, verdict)));
}

}  // namespace

void leave_following_undecided(const PairedContext& context, std::vector<MetricVerdict>& verdicts) {
  if (!leading_are_decided(context, verdicts)) return;
  for (MetricVerdict& verdict : verdicts) {
    const bool undecided = verdict.gating && verdict.status == Status::inconclusive;
    if (undecided && is_following(verdict, context)) leave_undecided(context, verdict);
  }
}

}  // namespace stepgate

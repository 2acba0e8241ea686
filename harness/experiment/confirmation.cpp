#include "experiment/confirmation.h"

#include <algorithm>

#include "core/metric.h"
#include "experiment/pairs/exact_sides.h"
#include "experiment/plan/measurement_files.h"
#include "judge/rules/bytes_rule.h"
#include "launch/replicate/stored_records.h"

namespace stepgate {
namespace {

/// More processes do not undo a value beyond a limit of the policy.
bool is_beyond_a_limit(const MetricVerdict& verdict) {
  return verdict.reason == ReasonCode::over_budget || verdict.reason == ReasonCode::below_floor;
}

bool is_of_tier(const MetricVerdict& verdict, Tier tier) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier == tier;
}

}  // namespace

std::int64_t processes_to_confirm(const CaseVerdict& verdict, const Measurement& measurement) {
  if (verdict.status == Status::failed) return 0;
  const bool red = std::any_of(verdict.metrics.begin(), verdict.metrics.end(), [](const MetricVerdict& each) {
    return is_of_tier(each, Tier::bytes) && each.gating && each.status == Status::regressed && !is_beyond_a_limit(each);
  });
  return red ? std::max<std::int64_t>(0, confirming_processes - exact_processes(measurement)) : 0;
}

Measurement with_more_processes(const CasePlan& plan, const Caller& caller, const Measurement& measurement,
                                std::int64_t more) {
  LaunchRequest request = plan.request;
  request.groups = {Group::exact};
  request.plan.exact_replicates = more;
  request.out_dir = plan.request.out_dir / "confirm";
  request.knows_need_of_values = true;
  request.seeks_hazards = false;  // those of the measurement stand
  const Measurement added = measure_case(request, callbacks_for(caller));
  if (was_interrupted(added)) return measurement;
  Measurement all = measurement;
  all.replicates.insert(all.replicates.end(), added.replicates.begin(), added.replicates.end());
  write_measurement(plan.request.out_dir, all);
  remove_stored_records(request.out_dir, added);
  return all;
}

bool pairs_could_decide(const CaseVerdict& verdict) {
  if (verdict.status == Status::failed) return false;  // clean pairs do not undo a crash
  return std::any_of(verdict.metrics.begin(), verdict.metrics.end(), [](const MetricVerdict& each) {
    const bool green =
        each.status == Status::pass || each.status == Status::improved || each.status == Status::not_judged;
    return is_of_tier(each, Tier::timed) && each.gating && !green && each.reason != ReasonCode::waived &&
           !is_beyond_a_limit(each);
  });
}

namespace {

/// The whole interval of a verdict lies on the worse side of no change.
bool looks_worse(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  if (metric == nullptr || !verdict.interval) return false;
  return metric->direction == Direction::higher_is_better ? verdict.interval->upper < 0 : verdict.interval->lower > 0;
}

}  // namespace

std::set<std::string> worse_than_stored(const CaseVerdict& verdict) {
  std::set<std::string> names;
  for (const MetricVerdict& each : verdict.metrics) {
    const bool withheld = each.reason.is(&ReasonRow::withholds_red);
    const bool worse =
        each.status == Status::regressed || (each.status == Status::inconclusive && withheld && looks_worse(each));
    if (worse && each.gating && is_of_tier(each, Tier::timed)) names.insert(each.metric);
  }
  return names;
}

}  // namespace stepgate

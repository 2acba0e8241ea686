#include "judge/verdict/judge_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/metric.h"
#include "core/verdict/changed_settings.h"
#include "core/verdict/tier_choice.h"
#include "judge/limits/limit_rule.h"
#include "judge/verdict/exact_half.h"
#include "judge/verdict/late_losses.h"
#include "judge/verdict/paired_half.h"
#include "judge/verdict/policy_check.h"
#include "judge/verdict/timed_half.h"
#include "judge/verdict/waivers.h"

namespace stepgate {
namespace {

void check_input(const Comparison& input) {
  check_policy(input.policy);
  if (!input.policy.waivers.empty() && !is_date(input.today)) {
    throw Error(ErrorKind::usage, fmt::format("today is '{}', not a date like 2026-11-21", input.today),
                "give the date as YYYY-MM-DD; waivers depend on it");
  }
  if (!input.policy.waivers.empty()) check_waiver_ends(input.policy, input.today, "policy");
  if (input.judge_timed && input.hypotheses < 1) {
    throw Error(ErrorKind::usage, fmt::format("the suite has {} gating timed metrics", input.hypotheses),
                "list the case in the suite's manifest: error shares are divided over its metrics");
  }
}

bool has_gating(const std::vector<MetricVerdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const MetricVerdict& verdict) { return verdict.gating; });
}

bool decides(const MetricVerdict& verdict) { return verdict.gating && verdict.status != Status::not_judged; }

/// A metric that decides without a baseline says nothing of one.
bool decides_by_baseline(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return decides(verdict) && (metric == nullptr || metric->reference != Reference::always_zero);
}

/// Gives gating metrics that the baseline lacks the status no-baseline if it has no gating metric of this half. They
/// are then not new but were never accepted, and a case with nothing judged must not pass.
void require_one_judged(std::vector<MetricVerdict>& half) {
  if (std::any_of(half.begin(), half.end(), decides_by_baseline)) return;
  for (MetricVerdict& verdict : half) {
    const bool lacked = verdict.reason.is(&ReasonRow::not_in_baseline);
    if (verdict.gating && lacked) verdict.status = Status::no_baseline;
  }
}

/// The row of the family that the metric is a member of; nullptr for other metrics.
const Metric* family_of(const MetricVerdict& verdict) {
  return member_name(verdict.metric).empty() ? nullptr : find_metric(verdict.metric);
}

/// Sorts the members of each family, which stand side by side, by their places in the step; those without a place last.
void sort_as_in_step(const StepBoundaries& boundaries, std::vector<MetricVerdict>& verdicts) {
  const auto place = [&](const MetricVerdict& verdict) {
    const auto boundary = boundaries.find(member_name(verdict.metric));
    return boundary ? boundaries.place_of(*boundary) : boundaries.order().size();
  };
  for (auto first = verdicts.begin(); first != verdicts.end();) {
    const Metric* family = family_of(*first);
    const auto past = std::find_if(first + 1, verdicts.end(),
                                   [&](const MetricVerdict& verdict) { return family_of(verdict) != family; });
    if (family != nullptr) {
      std::stable_sort(first, past,
                       [&](const MetricVerdict& a, const MetricVerdict& b) { return place(a) < place(b); });
    }
    first = past;
  }
}

/// Sorts worst first, gating before others, and leaves equals in their order.
void sort_worst_first(std::vector<MetricVerdict>& verdicts) {
  std::stable_sort(verdicts.begin(), verdicts.end(), [](const MetricVerdict& a, const MetricVerdict& b) {
    if (a.gating != b.gating) return a.gating;
    return a.status > b.status;
  });
}

void settle_case(CaseVerdict& verdict, Status status, VerdictReason reason, std::string detail) {
  verdict.status = status;
  verdict.reason = std::move(reason);
  verdict.detail = std::move(detail);
}

/// A requested half without any gating metric must not pass.
void settle_nothing_measured(const Comparison& input, TierChoice half, CaseVerdict& verdict) {
  const CaseValues& current = input.current;
  if (half == TierChoice::timed && current.clean_timed == 0 && current.tainted > 0) {
    settle_case(verdict, Status::inconclusive, ReasonCode::too_few_clean_replicates,
                fmt::format("no clean timed replicate; {} discarded", current.tainted));
    return;
  }
  settle_case(verdict, Status::failed, ReasonCode::nothing_measured,
              fmt::format("no gating metric of the {} half", name_of(half)));
}

/// Names the following metrics that stayed undecided, limits without a value, and sums of other library calls: a green
/// does not cover them.
std::string left_undecided(const CaseVerdict& verdict) {
  std::string text;
  for (const auto& [reason, what] :
       {std::pair(ReasonCode::left_undecided, "left undecided"), std::pair(ReasonCode::too_noisy, "too noisy here"),
        std::pair(ReasonCode::limit_not_judged, "limit not judged here"),
        std::pair(ReasonCode::library_shapes_differ, "not judged, since the shapes of library calls differ")}) {
    std::string names;
    for (const MetricVerdict& metric : verdict.metrics) {
      if (metric.reason == reason) names += (names.empty() ? "" : ", ") + metric.metric;
    }
    if (!names.empty()) text += fmt::format("; {}: {}", what, names);
  }
  return text;
}

/// The worst judged gating metric decides; a case whose regressions are all waived passes.
void settle_by_metrics(CaseVerdict& verdict) {
  const auto is_judged = [](const MetricVerdict& each) { return each.status != Status::not_judged; };
  auto shown = std::find_if(verdict.metrics.begin(), verdict.metrics.end(), decides);
  const bool found = shown != verdict.metrics.end();
  if (!found) shown = std::find_if(verdict.metrics.begin(), verdict.metrics.end(), is_judged);
  if (shown == verdict.metrics.end()) shown = verdict.metrics.begin();
  settle_case(verdict, found ? shown->status : Status::pass, shown->reason,
              fmt::format("{}: {}{}", label_of(shown->metric), shown->detail, left_undecided(verdict)));
}

/// An exact half of which the policy leaves nothing to judge must not pass.
bool exact_half_varies(const CaseVerdict& verdict) {
  const auto is_exact = [](const MetricVerdict& each) {
    const Metric* metric = find_metric(each.metric);
    return each.gating && metric != nullptr && metric->tier != Tier::timed;
  };
  const auto& all = verdict.metrics;
  const bool varies = std::any_of(all.begin(), all.end(), [&](const MetricVerdict& each) {
    return is_exact(each) && each.status == Status::not_judged && each.reason == ReasonCode::varying;
  });
  return varies && std::none_of(all.begin(), all.end(),
                                [&](const MetricVerdict& each) { return is_exact(each) && decides_by_baseline(each); });
}

/// The verdicts of each requested half, before waivers.
struct Halves {
  std::vector<MetricVerdict> exact;
  std::vector<MetricVerdict> timed;
};

/// A change that takes away what a case needs must not be skipped. Machines of one class have equal devices, but not
/// always equally many: a stored baseline says nothing of their number. A portable one says nothing of this machine.
bool ran_here_before(const Comparison& input) {
  const bool has_baseline = input.runner || (input.exact && input.device == Device::cuda);
  return base_ran(input) || (has_baseline && input.current.beyond_machine != ReasonCode::too_few_gpus);
}

void settle_unavailable(const Comparison& input, CaseVerdict& verdict) {
  const VerdictReason& beyond = input.current.beyond_machine;
  const std::string& why = input.current.failures.front();
  verdict.metrics.clear();
  if (!ran_here_before(input))
    return settle_case(verdict, Status::skipped, beyond.empty() ? ReasonCode::unavailable : beyond, why);
  settle_case(verdict, Status::failed, beyond.empty() ? ReasonCode::no_longer_available : ReasonCode::outgrew_machine,
              why + "; the case ran on this runner class before");
}

/// The counts are those of one way of several. Where they had been those of the only way, a change is at fault.
void settle_needs_values(const Comparison& input, CaseVerdict& verdict) {
  const std::string& why = input.current.failures.front();
  verdict.metrics.clear();
  if (!ran_here_before(input)) return settle_case(verdict, Status::inconclusive, ReasonCode::needs_values, why);
  settle_case(verdict, Status::failed, ReasonCode::needs_values,
              why + "; the case was counted on this runner class before");
}

void settle(const Comparison& input, const Halves& halves, CaseVerdict& verdict) {
  if (input.current.unavailable) return settle_unavailable(input, verdict);
  if (input.current.needs_values) return settle_needs_values(input, verdict);
  if (!input.current.failures.empty()) {
    const ReasonCode reason = input.current.changed_setting  ? ReasonCode::program_changed_setting
                              : input.current.infrastructure ? ReasonCode::infrastructure
                                                             : ReasonCode::replicate_failed;
    return settle_case(verdict, Status::failed, reason, input.current.failures.front());
  }
  if (const auto expired = expired_waiver(input)) {
    return settle_case(verdict, Status::failed, ReasonCode::waiver_expired, *expired);
  }
  if (input.judge_exact && !has_gating(halves.exact)) return settle_nothing_measured(input, TierChoice::exact, verdict);
  if (input.judge_timed && !has_gating(halves.timed)) return settle_nothing_measured(input, TierChoice::timed, verdict);
  if (exact_half_varies(verdict)) {
    return settle_case(verdict, Status::inconclusive, ReasonCode::nothing_judged,
                       "the policy declares every gating metric of the exact half to vary: it is judged in A/B only");
  }
  if (verdict.metrics.empty()) {
    return settle_case(verdict, Status::failed, ReasonCode::nothing_measured, "neither half was requested");
  }
  settle_by_metrics(verdict);
}

/// Holds whatever the metrics say: a faster step in another precision is not the same step made faster.
void settle_changed_settings(const Comparison& input, CaseVerdict& verdict) {
  const auto changed = changed_settings(input);
  if (changed.empty() || verdict.status == Status::failed || verdict.status == Status::skipped) return;
  settle_case(verdict, Status::regressed, ReasonCode::program_changed_setting, text_of_changed_settings(changed));
}

}  // namespace

CaseVerdict judge_case(const Comparison& input) {
  check_input(input);
  Halves halves;
  if (input.judge_exact) halves.exact = judge_exact_half(input);
  if (input.judge_timed) halves.timed = pairs_of(input) != nullptr ? judge_paired_half(input) : judge_timed_half(input);
  if (input.judge_exact || input.judge_timed) judge_late_losses(input, input.judge_exact ? halves.exact : halves.timed);
  require_one_judged(halves.exact);
  require_one_judged(halves.timed);

  CaseVerdict verdict;
  verdict.case_name = input.current.case_name;
  verdict.metrics = halves.exact;
  verdict.metrics.insert(verdict.metrics.end(), halves.timed.begin(), halves.timed.end());
  apply_limits(input, verdict);
  apply_waivers(input, verdict.metrics);
  sort_as_in_step(input.current.boundaries, verdict.metrics);
  sort_worst_first(verdict.metrics);
  settle(input, halves, verdict);
  settle_changed_settings(input, verdict);
  return verdict;
}

}  // namespace stepgate

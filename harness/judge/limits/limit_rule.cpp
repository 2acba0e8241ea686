#include "judge/limits/limit_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/leading_time.h"
#include "core/text/number_format.h"
#include "judge/limits/limit_call.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

/// The words and reasons of a floor or a budget.
struct Wording {
  ReasonCode missed;
  ReasonCode undecided;
  ReasonCode unchecked;
  std::string_view misses;
  std::string_view beyond;
  std::string_view cases_key;  ///< of the policy, which can leave a case out
};

constexpr Wording of_floor = {ReasonCode::below_floor,
                              ReasonCode::floor_undecided,
                              ReasonCode::floor_unchecked,
                              "is below",
                              "is below, but not with certainty,",
                              "\"case\" of the entry"};
constexpr Wording of_budget = {ReasonCode::over_budget,
                               ReasonCode::budget_undecided,
                               ReasonCode::budget_unchecked,
                               "exceeds",
                               "is above, but not with certainty,",
                               "budget_cases of the policy"};

const Wording& wording_of(AbsoluteLimitKind kind) { return kind == AbsoluteLimitKind::floor ? of_floor : of_budget; }

MetricVerdict* find_verdict(std::string_view metric, std::vector<MetricVerdict>& verdicts) {
  const auto at = std::find_if(verdicts.begin(), verdicts.end(),
                               [&](const MetricVerdict& verdict) { return verdict.metric == metric; });
  return at == verdicts.end() ? nullptr : &*at;
}

MetricVerdict& verdict_on(const Comparison& input, const Metric& metric, std::vector<MetricVerdict>& verdicts) {
  if (MetricVerdict* found = find_verdict(metric.name, verdicts)) return *found;
  const Scope scope = (metric.tier == Tier::timed ? timed_side(input) : exact_side(input)).scope;
  return verdicts.emplace_back(open_verdict(metric, scope));
}

std::string limit_cell(const AbsoluteLimit& limit, const std::string& value) {
  return fmt::format("{} {}", name_of(limit.kind), value);
}

/// A limit that was not checked does not count as kept.
void fail_unchecked(const Metric& metric, const LimitVerdict& called, MetricVerdict& verdict) {
  const Wording& words = wording_of(called.limit.kind);
  verdict.gating = true;
  verdict.limit = limit_cell(called.limit, quantity_text(metric.unit, called.limit.value));
  settle(verdict, Status::failed, words.unchecked,
         fmt::format("the policy's {} could not be checked: {}; {} can name the cases that have it",
                     name_of(called.limit.kind), called.why, words.cases_key));
}

/// Nothing in the program can give a value here, so it is no failure; the verdict of the case names it.
void leave_unjudged(const Metric& metric, const LimitVerdict& called, MetricVerdict& verdict) {
  if (verdict.gating && verdict.status != Status::not_judged) return;
  verdict.gating = true;
  verdict.limit = limit_cell(called.limit, quantity_text(metric.unit, called.limit.value));
  settle(verdict, Status::not_judged, ReasonCode::limit_not_judged,
         fmt::format("the policy's {} is not judged here: {}; stepgate gate judges it, and so do pairs with "
                     "--interleave processes",
                     name_of(called.limit.kind), called.why));
}

void exceed(const Metric& metric, const LimitVerdict& called, MetricVerdict& verdict) {
  const bool surely = called.outcome == LimitOutcome::missed;
  if (verdict.status == Status::failed) return;
  if (!surely && verdict.status >= Status::inconclusive && verdict.gating) return;
  const Wording& words = wording_of(called.limit.kind);
  const std::string earlier = verdict.detail.empty() ? "" : "; " + verdict.detail;
  verdict.gating = true;
  verdict.current = called.current;
  const TwoQuantities texts = two_quantities(metric.unit, *called.current, called.limit.value);
  verdict.limit = limit_cell(called.limit, texts.second);
  settle(verdict, surely ? Status::regressed : Status::inconclusive, surely ? words.missed : words.undecided,
         fmt::format("{} {} the policy's {} of {}{}", texts.first, surely ? words.misses : words.beyond,
                     name_of(called.limit.kind), texts.second, earlier));
}

/// What the processes that were measured before the pairs said of this limit; nullptr where they did not.
const LimitVerdict* answer_before_pairs(const Comparison& input, const AbsoluteLimit& limit) {
  const PairedReference* paired = paired_reference(input);
  if (paired == nullptr) return nullptr;
  const auto& before = paired->limits_before;
  const auto at = std::find_if(before.begin(), before.end(), [&](const LimitVerdict& each) {
    const bool answers = each.outcome != LimitOutcome::unchecked && each.outcome != LimitOutcome::not_judged;
    return answers && each.limit.kind == limit.kind && each.limit.metric == limit.metric;
  });
  return at == before.end() ? nullptr : &*at;
}

LimitVerdict called_limit(const Comparison& input, const Metric& metric, const AbsoluteLimit& limit) {
  LimitVerdict called = call_limit(input, metric, limit);
  const LimitVerdict* before = called.outcome == LimitOutcome::not_judged ? answer_before_pairs(input, limit) : nullptr;
  return before == nullptr ? called : *before;
}

bool is_improved(std::string_view metric, std::vector<MetricVerdict>& verdicts) {
  const MetricVerdict* verdict = find_verdict(metric, verdicts);
  return verdict != nullptr && verdict->status == Status::improved;
}

/// A rate that no policy lets gate has no test of its own: that of its time stands for it.
bool is_newly_met(const Comparison& input, const Metric& metric, const LimitVerdict& called,
                  std::vector<MetricVerdict>& verdicts) {
  const MetricVerdict* verdict = find_verdict(metric.name, verdicts);
  if (called.outcome != LimitOutcome::met || verdict == nullptr || !verdict->baseline) return false;
  const bool by_its_time = !verdict->gating && !metric.shares_test_of.empty() &&
                           is_improved(shared_time(metric.shares_test_of, input.current.timed), verdicts);
  return (by_its_time || is_improved(metric.name, verdicts)) && !keeps(called.limit, *verdict->baseline);
}

}  // namespace

void apply_limits(const Comparison& input, CaseVerdict& verdict) {
  for (const AbsoluteLimit& limit : limits_of(input.policy, {input.current.case_name, input.runner_class})) {
    const std::vector<Metric> known = known_metrics({limit.metric});
    if (known.empty() || !is_of_judged_half(input, known.front())) continue;  // reading refuses unknown metrics
    const Metric& metric = known.front();
    LimitVerdict called = called_limit(input, metric, limit);
    if (limit.kind == AbsoluteLimitKind::target) {
      called.newly_met = is_newly_met(input, metric, called, verdict.metrics);
    } else if (called.outcome == LimitOutcome::not_judged) {
      leave_unjudged(metric, called, verdict_on(input, metric, verdict.metrics));
    } else if (called.outcome == LimitOutcome::unchecked) {
      fail_unchecked(metric, called, verdict_on(input, metric, verdict.metrics));
    } else if (called.outcome != LimitOutcome::met) {
      exceed(metric, called, verdict_on(input, metric, verdict.metrics));
    }
    verdict.limits.push_back(std::move(called));
  }
}

}  // namespace stepgate

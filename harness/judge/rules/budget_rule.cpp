#include "judge/rules/budget_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/stored/case_budgets.h"
#include "core/text/number_format.h"
#include "judge/rules/comparable.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// The result of one budget; without a status the budget is met.
struct BudgetCall {
  std::optional<Status> status = std::nullopt;
  double current = 0;
};

BudgetCall over_at_all(double highest, double budget) {
  return {highest > budget ? std::optional(Status::regressed) : std::nullopt, highest};
}

BudgetCall call_exact(const Comparison& input, const std::string& metric, double budget) {
  const auto at = input.current.exact.find(metric);
  double highest = 0;
  if (at == input.current.exact.end()) return {};
  for (const auto& steps : at->second) {
    for (const std::int64_t value : steps) highest = std::max(highest, static_cast<double>(value));
  }
  return over_at_all(highest, budget);
}

BudgetCall call_bytes(const Comparison& input, const std::string& metric, double budget) {
  const auto at = input.current.bytes.find(metric);
  if (at == input.current.bytes.end() || at->second.empty()) return {};
  return over_at_all(static_cast<double>(*std::max_element(at->second.begin(), at->second.end())), budget);
}

/// Times vary, so one slow process alone does not exceed a budget.
BudgetCall call_timed(const Comparison& input, const std::string& metric, double budget) {
  const auto at = input.current.timed.find(metric);
  if (at == input.current.timed.end() || at->second.empty()) return {};
  std::vector<double> excess;
  for (const double value : at->second) excess.push_back(std::log(value / budget));
  const double centre = mean(excess);
  const double geometric_mean = budget * std::exp(centre);
  if (!(centre > 0)) return {std::nullopt, geometric_mean};
  const std::int64_t wanted = std::max<std::int64_t>(2, input.policy.min_clean_replicates);
  if (std::ssize(excess) < wanted) return {Status::inconclusive, geometric_mean};
  const auto count = static_cast<double>(excess.size());
  const double standard_error = std::sqrt(sample_variance(excess) / count);
  const double share = input.policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses));
  const bool sure = centre > student_t_upper_quantile(share, count - 1) * standard_error;
  return {sure ? Status::regressed : Status::inconclusive, geometric_mean};
}

BudgetCall call_of(const Comparison& input, const Metric& metric, double budget) {
  const std::string name(metric.name);
  switch (metric.tier) {
    case Tier::exact:
      return input.judge_exact ? call_exact(input, name, budget) : BudgetCall{};
    case Tier::bytes:
      return input.judge_exact ? call_bytes(input, name, budget) : BudgetCall{};
    case Tier::timed:
      return input.judge_timed ? call_timed(input, name, budget) : BudgetCall{};
    case Tier::numeric:
      return {};
  }
  return {};
}

MetricVerdict& verdict_on(const Metric& metric, Scope scope, std::vector<MetricVerdict>& verdicts) {
  const auto at = std::find_if(verdicts.begin(), verdicts.end(),
                               [&](const MetricVerdict& verdict) { return verdict.metric == metric.name; });
  return at == verdicts.end() ? verdicts.emplace_back(open_verdict(metric, scope)) : *at;
}

template <typename Values>
bool has_values(const Values& values, const std::string& name) {
  const auto at = values.find(name);
  return at != values.end() && !at->second.empty();
}

/// True for a budget on a metric that this half should have measured but did not.
bool is_unchecked(const Comparison& input, const Metric& metric) {
  const std::string name(metric.name);
  const CaseValues& current = input.current;
  if (current.unavailable || !current.failures.empty()) return false;  // the case then has a reason of its own
  switch (metric.tier) {
    case Tier::exact:
      return input.judge_exact && !has_values(current.exact, name);
    case Tier::bytes:
      return input.judge_exact && !has_values(current.bytes, name);
    case Tier::timed:
      return input.judge_timed && !has_values(current.timed, name) && current.clean_timed > 0;
    case Tier::numeric:
      return false;
  }
  return false;
}

/// A limit that was not checked does not count as kept. budget_cases limits a budget to the cases that have the metric.
void fail_unchecked(const Comparison& input, const Metric& metric, double budget, MetricVerdict& verdict) {
  verdict.gating = true;
  verdict.limit = "budget " + quantity_text(metric.unit, budget);
  settle(verdict, Status::failed, ReasonCode::budget_unchecked,
         fmt::format("the policy's budget could not be checked: {}; budget_cases of the policy can name the cases that "
                     "have it",
                     why_absent(metric.name, input.current)));
}

void exceed(const Metric& metric, const BudgetCall& call, double budget, MetricVerdict& verdict) {
  const bool surely = call.status == Status::regressed;
  if (verdict.status == Status::failed) return;
  if (!surely && verdict.status >= Status::inconclusive && verdict.gating) return;
  const std::string earlier = verdict.detail.empty() ? "" : "; " + verdict.detail;
  verdict.gating = true;
  verdict.current = call.current;
  const TwoQuantities texts = two_quantities(metric.unit, call.current, budget);
  verdict.limit = "budget " + texts.second;
  settle(verdict, *call.status, surely ? ReasonCode::over_budget : ReasonCode::budget_undecided,
         fmt::format("{} {} the policy's budget of {}{}", texts.first,
                     surely ? "exceeds" : "is above, but not with certainty,", texts.second, earlier));
}

}  // namespace

void apply_budgets(const Comparison& input, std::vector<MetricVerdict>& verdicts) {
  for (const auto& [name, budget] : budgets_of(input.policy, input.current.case_name)) {
    const std::vector<Metric> known = known_metrics({name});
    if (known.empty()) continue;  // reading the policy refuses unknown metrics
    const Metric* metric = &known.front();
    const BudgetCall call = call_of(input, *metric, budget);
    const Scope scope = (metric->tier == Tier::timed ? timed_side(input) : exact_side(input)).scope;
    if (is_unchecked(input, *metric)) {
      fail_unchecked(input, *metric, budget, verdict_on(*metric, scope, verdicts));
      continue;
    }
    if (!call.status) continue;
    exceed(*metric, call, budget, verdict_on(*metric, scope, verdicts));
  }
}

}  // namespace stepgate

#include "judge/rules/comparable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/leading_time.h"
#include "core/record/fact_kind.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// These counters were keyed by facts of timed processes, which no exact process has.
constexpr const char* counters_of_older_version =
    "there is no device baseline of this case; the counters in its runner baseline were written by a version before "
    "the counters of a GPU had a file of their own: accept them anew";

std::string list(const std::vector<FingerprintMismatch>& mismatches) {
  std::string text;
  for (const FingerprintMismatch& mismatch : mismatches) {
    const auto shown = [](const std::string& value) { return value.empty() ? "(unknown)" : value; };
    text += fmt::format("{}{}: baseline '{}', here '{}'", text.empty() ? "" : "; ", mismatch.key,
                        shown(mismatch.expected), shown(mismatch.found));
  }
  return text;
}

/// The measured value as one number, which reports show even without a baseline. Absent if nothing was measured, or if
/// there is no finite median.
std::optional<double> measured_value(const std::string& metric, const CaseValues& current) {
  if (const auto timed = current.timed.find(metric); timed != current.timed.end() && !timed->second.empty()) {
    const auto& values = timed->second;
    const bool finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    return finite ? std::optional(median(values)) : std::nullopt;
  }
  if (const auto bytes = current.bytes.find(metric); bytes != current.bytes.end() && !bytes->second.empty()) {
    return static_cast<double>(*std::max_element(bytes->second.begin(), bytes->second.end()));
  }
  const auto exact = current.exact.find(metric);
  if (exact == current.exact.end() || exact->second.empty() || exact->second.front().empty()) return std::nullopt;
  const std::vector<double> steps(exact->second.front().begin(), exact->second.front().end());
  return mean(steps);
}

}  // namespace

std::string why_absent(std::string_view metric, const CaseValues& current) {
  const auto reason = current.absent.find(std::string(metric));
  return reason == current.absent.end() ? "no replicate measured it" : reason->second;
}

BaselineSide exact_side(const Comparison& input) {
  if (input.device == Device::cpu) return {pointer_to(input.exact), input.exact_mismatches, Scope::portable};
  BaselineSide side{pointer_to(input.exact), input.exact_mismatches, Scope::device};
  if (!input.exact && input.runner && has_exact_half(*input.runner)) side.why_absent = counters_of_older_version;
  return side;
}

BaselineSide timed_side(const Comparison& input) {
  return {pointer_to(input.runner), input.runner_mismatches, Scope::runner};
}

MetricVerdict open_verdict(const Metric& metric, Scope scope) {
  MetricVerdict verdict;
  verdict.metric = metric.name;
  verdict.gating = metric.gates && (metric.direction != Direction::neither || metric.tier == Tier::numeric);
  verdict.scope = scope;
  return verdict;
}

void settle(MetricVerdict& verdict, Status status, ReasonCode reason, std::string detail) {
  verdict.status = status == Status::pass && !verdict.gating ? Status::not_judged : status;
  verdict.reason = reason;
  verdict.detail = std::move(detail);
}

void settle_missing(MetricVerdict& verdict, const std::string& why) {
  settle(verdict, verdict.gating ? Status::failed : Status::skipped, ReasonCode::metric_missing,
         fmt::format("the baseline has this metric, the measurement does not: {}{}", why,
                     verdict.gating ? "; if that is meant, accept a baseline without it" : ""));
}

void settle_incompatible(const std::vector<FingerprintMismatch>& mismatches, MetricVerdict& verdict) {
  const bool of_tree = has_changed_tree(mismatches);
  settle(verdict, Status::no_baseline, of_tree ? ReasonCode::incompatible_tree : ReasonCode::incompatible_baseline,
         "the baseline was measured under other conditions: " + list(mismatches));
}

std::optional<MetricVerdict> without_comparison(const Presence& presence, const BaselineSide& side,
                                                const CaseValues& current) {
  MetricVerdict verdict = open_verdict(presence.metric, side.scope);
  if (presence.metric.reference == Reference::nothing) {
    settle(verdict, Status::not_judged, ReasonCode::not_judged,
           "shown but not compared: it differs from machine to machine");
    verdict.current = measured_value(verdict.metric, current);
  } else if (side.baseline == nullptr) {
    settle(verdict, Status::no_baseline, ReasonCode::no_baseline,
           side.why_absent.empty() ? fmt::format("there is no {} baseline of this case", name_of(side.scope))
                                   : side.why_absent);
  } else if (incompatible(side.mismatches)) {
    settle_incompatible(side.mismatches, verdict);
  } else if (presence.stored && !presence.measured && is_open_latency(presence.metric.name) &&
             !current.queue_problem.empty()) {
    settle(verdict, verdict.gating ? Status::inconclusive : Status::skipped, ReasonCode::queue_unstable,
           current.queue_problem);
  } else if (presence.stored && !presence.measured) {
    // The baseline shows that it can be measured. So its absence may hide a regression, whatever its reason: a change
    // may itself have taken away what the metric is read from.
    settle_missing(verdict, why_absent(presence.metric.name, current));
  } else if (!presence.stored && presence.metric.scope == Scope::runner && side.scope == Scope::portable) {
    settle(verdict, Status::not_judged, ReasonCode::not_stored,
           "shown but not compared: it differs from machine to machine, so no portable baseline holds it; "
           "stepgate ab compares two builds");
  } else if (!presence.stored) {
    settle(verdict, Status::not_judged, ReasonCode::new_metric, "the baseline is older than this metric");
  } else {
    return std::nullopt;
  }
  if (verdict.status == Status::no_baseline || verdict.reason.is(&ReasonRow::not_in_baseline))
    verdict.current = measured_value(verdict.metric, current);
  return verdict;
}

std::vector<Metric> metrics_named(const std::set<std::string_view>& names, Tier tier) {
  std::vector<Metric> result = known_metrics(names);
  for (std::string_view name : names) {
    if (find_metric(name) == nullptr)
      result.push_back({name, MetricUnit::none, Direction::lower_is_better, tier, false, name});
  }
  return result;
}

}  // namespace stepgate

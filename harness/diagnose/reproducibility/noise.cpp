#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

bool is_timed(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier == Tier::timed;
}

/// What to do about two measurements that exist already.
std::string help_of_two(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  if (metric != nullptr && metric->tier == Tier::timed)
    return "measure both again on a quiet machine, or compare the builds by pairs: stepgate ab.";
  return "measure both again with more processes: stepgate run --exact-replicates 6.";
}

/// Times of two measurements have one reason to be open, so they share one finding.
void add_times_without_pairs(const JudgedComparison& input, std::vector<Finding>& findings) {
  Finding finding{.code = FindingCode::no_pairs,
                  .severity = input.verdict.status == Status::inconclusive ? Severity::cause : Severity::note,
                  .message = "",
                  .advice =
                      "compare the builds by pairs of fresh processes: stepgate ab --base-build DIR --head-build "
                      "DIR; or compare counts and losses alone: --tier exact.",
                  .metric = ""};
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.reason != ReasonCode::no_pairs || !verdict.gating) continue;
    finding.message += (finding.message.empty() ? "" : ", ") + label_of(verdict.metric);
    if (finding.metric.empty()) {
      finding.metric = verdict.metric;
    } else {
      finding.also.push_back(verdict.metric);
    }
  }
  if (finding.message.empty()) return;
  finding.message += ": two measurements made one after the other cannot tell slower code from a slower machine";
  findings.push_back(std::move(finding));
}

/// What decides a time that is judged by stored sessions.
std::string help_of_sessions(const MetricVerdict& verdict) {
  constexpr std::string_view two_builds = "compare two builds: stepgate gate --base-build DIR.";
  if (!verdict.more_replicates) return fmt::format("more sessions would not decide it: {}", two_builds);
  return fmt::format("{}, half an hour apart, would decide it if nothing else changes; or {}",
                     counted(*verdict.more_replicates, "more session"), two_builds);
}

std::string help_text(const JudgedComparison& input, const MetricVerdict& verdict) {
  if (verdict.metric == "final_loss") {
    return "runs of one build differ by more than this. Make the runs longer (--seed-steps), or start a new comparison "
           "with more and other seeds (--seeds, --seed), chosen beforehand.";
  }
  if (verdict.reason == ReasonCode::conditions_changed)
    return "compare two builds: stepgate gate --base-build DIR; or begin new sessions: stepgate baseline accept "
           "--replace.";
  if (verdict.reason == ReasonCode::reference_moved || verdict.reason == ReasonCode::no_reference ||
      verdict.reason == ReasonCode::clock_moved)
    return "compare two builds: stepgate gate --base-build DIR.";
  if (verdict.reason == ReasonCode::too_few_clean_pairs)
    return "end what disturbs this machine (stepgate doctor), or measure on another one. If this machine is always "
           "like "
           "this, raise that limit (taint_limits of the policy) and accept the noise, or judge counts and losses "
           "alone: "
           "--tier exact.";
  const bool by_sessions =
      verdict.reason == ReasonCode::interval_too_wide || verdict.reason == ReasonCode::few_sessions;
  if (by_sessions && pairs_of(input) == nullptr && is_timed(verdict)) return help_of_sessions(verdict);
  const bool pairs = pairs_of(input) != nullptr && is_timed(verdict);
  if (verdict.more_replicates && *verdict.more_replicates > 0) {
    return fmt::format(
        "about {} would decide it; a quieter machine needs fewer.",
        pairs ? counted(*verdict.more_replicates, "more pair") : counted(*verdict.more_replicates, "more replicate"));
  }
  return fmt::format("a quieter machine, or more {}, would decide it.", pairs ? "pairs" : "replicates");
}

/// How far apart the fresh processes of this measurement are: (largest - smallest) / median.
std::string spread_text(const JudgedComparison& input, const std::string& metric) {
  const auto at = input.current.timed.find(metric);
  if (at == input.current.timed.end() || at->second.size() < 2) return "";
  const auto& values = at->second;
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return "";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = median(values);
  if (middle == 0) return "";
  const Metric* known = find_metric(metric);
  const MetricUnit unit = known == nullptr ? MetricUnit::ns : known->unit;
  return fmt::format("{} replicates lie {} apart ({} to {})", values.size(), percent_text((*most - *least) / middle),
                     quantity_text(unit, *least), quantity_text(unit, *most));
}

std::string detectable_text(const MetricVerdict& verdict) {
  if (!verdict.detectable_change) return "";
  return fmt::format("this plan could detect {}", change_text(*verdict.detectable_change));
}

std::string spread_message(const JudgedComparison& input, const MetricVerdict& verdict) {
  const std::string spread = spread_text(input, verdict.metric);
  const std::string detectable = detectable_text(verdict);
  if (spread.empty() && detectable.empty())
    return verdict.detail.empty() ? std::string(name_of(verdict.reason)) : verdict.detail;
  return spread + (spread.empty() || detectable.empty() ? "" : "; ") + detectable;
}

/// Metrics that are open for one reason, in the same words.
struct OpenMetrics {
  std::string message;
  std::string advice;
  std::vector<std::string> metrics;
};

std::vector<OpenMetrics> open_metrics(const JudgedComparison& input, const std::vector<const MetricVerdict*>& open) {
  std::vector<OpenMetrics> groups;
  for (const MetricVerdict* verdict : open) {
    OpenMetrics own{.message = spread_message(input, *verdict),
                    .advice = earlier_values(input) != nullptr ? help_of_two(*verdict) : help_text(input, *verdict),
                    .metrics = {verdict->metric}};
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const OpenMetrics& group) {
      return group.message == own.message && group.advice == own.advice;
    });
    if (same == groups.end()) {
      groups.push_back(std::move(own));
    } else {
      same->metrics.push_back(verdict->metric);
    }
  }
  return groups;
}

/// One finding for each reason; an advice that several of them share stands below the last.
void add_open(const JudgedComparison& input, const std::vector<const MetricVerdict*>& open,
              std::vector<Finding>& findings) {
  // If the case is red, a metric that stayed open is not a cause of it.
  const bool decides = input.verdict.status == Status::inconclusive;
  const std::vector<OpenMetrics> groups = open_metrics(input, open);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const OpenMetrics& group = groups[i];
    const bool repeated = std::any_of(groups.begin() + static_cast<std::ptrdiff_t>(i) + 1, groups.end(),
                                      [&](const OpenMetrics& later) { return later.advice == group.advice; });
    std::string labels;
    for (const std::string& metric : group.metrics) labels += (labels.empty() ? "" : ", ") + label_of(metric);
    findings.push_back({.code = FindingCode::spread,
                        .severity = decides ? Severity::cause : Severity::note,
                        .message = fmt::format("{}: {}", labels, group.message),
                        .advice = repeated ? "" : group.advice,
                        .metric = group.metrics.front(),
                        .also = {group.metrics.begin() + 1, group.metrics.end()}});
  }
}

/// A green says nothing about such a metric, so it is named.
Finding left_undecided_finding(const MetricVerdict& verdict) {
  return {FindingCode::left_undecided, Severity::warning, label_of(verdict.metric) + ": " + verdict.detail,
          "give it margins that its noise allows (metric_margins of the policy), or measure on a quieter machine.",
          verdict.metric};
}

/// Named for the same reason. What such a metric costs is counted by the exact half.
Finding too_noisy_finding(const MetricVerdict& verdict) {
  return {FindingCode::too_noisy, Severity::warning, label_of(verdict.metric) + ": " + verdict.detail,
          "the exact half counts what it does. If its time must be decided too, name it in must_decide of the policy, "
          "with margins that its noise allows (metric_margins), or measure on a quieter machine.",
          verdict.metric};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

/// Two measurements of which one has no clean timed process: one reason for all timed metrics.
std::optional<Finding> nothing_clean(const JudgedComparison& input) {
  if (earlier_values(input) == nullptr || !input.judge_timed) return std::nullopt;
  for (const auto& [side, name] : {std::pair(earlier_values(input), "first"), std::pair(&input.current, "second")}) {
    if (side->clean_timed > 0 || side->tainted == 0) continue;
    return Finding{.code = FindingCode::nothing_clean,
                   .severity = input.verdict.status == Status::inconclusive ? Severity::cause : Severity::note,
                   .message = fmt::format("the {} measurement has no clean timed process ({} discarded by outside "
                                          "interference), so no time can be compared",
                                          name, side->tainted),
                   .advice =
                       "measure it again where less else runs (stepgate doctor), or compare counts and losses "
                       "alone: --tier exact.",
                   .metric = ""};
  }
  return std::nullopt;
}

/// The finding for a failed case. If the case lost what it needs here, the verdict says more than the failures: it
/// could run before.
Finding failure_finding(const JudgedComparison& input) {
  const CaseVerdict& verdict = input.verdict;
  if (verdict.reason.is(&ReasonRow::ran_before)) {
    const bool outgrew = verdict.reason == ReasonCode::outgrew_machine;
    return {outgrew ? FindingCode::outgrew_machine : FindingCode::no_longer_available, Severity::cause, verdict.detail,
            "bring back what it needs. If this runner class is not to run it any more, remove its baselines there.",
            ""};
  }
  if (verdict.reason == ReasonCode::needs_values) {
    return {FindingCode::replicate_failed, verdict.status == Status::failed ? Severity::cause : Severity::warning,
            joined(input.current.failures),
            "count it with values (--device emulated:MODEL:values) if it is tiny, else on a GPU.", ""};
  }
  return {FindingCode::replicate_failed, verdict.status == Status::failed ? Severity::cause : Severity::warning,
          joined(input.current.failures),
          earlier_values(input) != nullptr ? "measure that side again; its file holds what the process printed."
                                           : "run the reproduce command by hand to see its output.",
          ""};
}

}  // namespace

std::vector<Finding> explain_noise(const JudgedComparison& input) {
  std::vector<Finding> findings;
  const CaseValues& current = input.current;
  const auto no_clean_side = nothing_clean(input);
  if (no_clean_side) findings.push_back(*no_clean_side);
  if (earlier_values(input) != nullptr) add_times_without_pairs(input, findings);
  std::vector<const MetricVerdict*> open;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (earlier_values(input) != nullptr && verdict.reason == ReasonCode::no_pairs) continue;
    if (no_clean_side && is_timed(verdict)) continue;
    if (verdict.reason == ReasonCode::left_undecided) findings.push_back(left_undecided_finding(verdict));
    if (verdict.reason == ReasonCode::too_noisy) findings.push_back(too_noisy_finding(verdict));
    if (verdict.reason == ReasonCode::replicates_disagree) continue;  // explain_varying_values() says why
    if (verdict.gating && verdict.status == Status::inconclusive) open.push_back(&verdict);
  }
  add_open(input, open, findings);
  if (current.tainted > 0 && !(no_clean_side && current.clean_timed == 0)) {
    findings.push_back(
        {FindingCode::tainted, Severity::warning,
         fmt::format("{} {} by outside interference and left out; {} clean timed ones remain", current.tainted,
                     current.tainted == 1 ? "replicate was discarded" : "replicates were discarded",
                     current.clean_timed),
         "see what else ran on this machine (stepgate doctor).", ""});
  }
  if (current.set_aside > 0) {
    findings.push_back({FindingCode::busy_while_waiting, Severity::warning,
                        fmt::format("{}: the processes ran one after the other from then on; {} measured in "
                                    "alternating windows {} kept and not judged",
                                    current.why_set_aside, counted(current.set_aside, "replicate"),
                                    current.set_aside == 1 ? "is" : "are"),
                        "a thread or a process works beside the step: where both builds have it, nothing is wrong.",
                        ""});
  }
  if (!current.unsteady_reasons.empty()) {
    const bool decides = input.verdict.status == Status::inconclusive;
    findings.push_back({FindingCode::unsteady, decides ? Severity::cause : Severity::warning,
                        "warm-up never became steady: " + joined(current.unsteady_reasons),
                        "raise warmup_cap, or find out what still changes from step to step.", ""});
  }
  if (!current.failures.empty()) findings.push_back(failure_finding(input));
  return findings;
}

}  // namespace stepgate

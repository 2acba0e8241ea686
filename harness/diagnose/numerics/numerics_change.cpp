#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/record/loss_sequences.h"
#include "diagnose/both_sides.h"
#include "diagnose/numerics/first_difference.h"
#include "diagnose/numerics/numeric_explanation.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

std::optional<std::size_t> first_non_finite(const std::vector<double>& values) {
  for (std::size_t step = 0; step < values.size(); ++step) {
    if (!std::isfinite(values[step])) return step;
  }
  return std::nullopt;
}

/// " [ISA avx2]" for portable baselines: between ISAs the same code gives other bits.
std::string isa_note(const JudgedComparison& input, const Baseline* baseline) {
  if (baseline != nullptr && baseline->scope != Scope::portable) return "";
  const auto isa = input.current.exact_fingerprint.find("isa");
  if (isa == input.current.exact_fingerprint.end()) return baseline == nullptr ? "" : " [ISA unknown]";
  return fmt::format(" [ISA {}]", isa->second);
}

/// The boundary for a finding. Only a further loss has one, since the others are not measured by boundary.
std::string own_boundary_of(const std::string& metric) { return std::string(member_name(metric)); }

std::optional<SequencePlace> first_break(const JudgedComparison& input, const NumericTrace& now) {
  std::optional<SequencePlace> first;
  for (const std::string& metric : in_step_order(input, now)) {
    const auto step = first_non_finite(*numeric_sequence(now, metric));
    if (step && (!first || *step < first->step)) first = SequencePlace{metric, *step};
  }
  return first;
}

std::optional<Finding> non_finite_finding(const JudgedComparison& input, const NumericTrace& now) {
  const auto found = first_break(input, now);
  if (!found) return std::nullopt;
  const bool is_loss = found->metric != "grad_norm";
  return Finding{.code = FindingCode::non_finite,
                 .severity = Severity::cause,
                 .message = fmt::format("{}: {} of step {} is {:g}, the first value that is not finite{}",
                                        boundary_of(found->metric, input.current.boundaries), label_of(found->metric),
                                        found->step, (*numeric_sequence(now, found->metric))[found->step],
                                        isa_note(input, work_baseline(input))),
                 .advice = is_loss ? "a division by zero, log of zero or overflow in forward or loss; if earlier "
                                     "losses grew, the learning rate is too high."
                                   : "an overflow in backward: the derivative of a square root or norm at zero, or "
                                     "a loss scale that is too large.",
                 .metric = found->metric,
                 .boundary = own_boundary_of(found->metric)};
}

/// Whether processes of the same code differ up to that step: then a difference from the baseline shows no change of
/// the code.
bool processes_disagree(const JudgedComparison& input, std::size_t step) {
  const auto& processes = input.current.numerics;
  return std::any_of(processes.begin(), processes.end(), [&](const NumericTrace& other) {
    const auto found = first_place_outside(input, processes.front(), other);
    return found && found->step <= step;
  });
}

bool is_declared_varying(const JudgedComparison& input, const std::string& metric) {
  return varies(varying_metrics(input.policy.varying, input.current.case_name), metric);
}

std::optional<Finding> difference_finding(const JudgedComparison& input, const Baseline& baseline,
                                          const NumericTrace& now) {
  const auto found = numeric_difference(input, *baseline.numerics, now);
  if (!found || is_declared_varying(input, found->outside.metric) || processes_disagree(input, found->outside.step))
    return std::nullopt;
  const NumericExplanation explained = explain_difference(input, *found, *baseline.numerics, now);
  return Finding{.code = explained.code,
                 .severity = Severity::cause,
                 .message = explained.message + isa_note(input, &baseline),
                 .advice = explained.advice,
                 .metric = is_red(input, found->first.metric) ? found->first.metric : found->outside.metric,
                 .boundary = own_boundary_of(found->first.metric)};
}

constexpr const char* drifted_run =
    "the first steps are within their limits and whole runs are not: look for a schedule, an accumulated error, or a "
    "statistic that drifts. Both runs of each seed are in seeds/ of the case's folder.";
constexpr const char* broken_run =
    "the runs are in seeds/ of the case's folder: find the first value that is not finite.";

/// For a difference that only the verdict sees: it compares another number of steps, or has limits of its own.
Finding fallback(const JudgedComparison& input, const MetricVerdict& verdict, const char* advice = "") {
  return {.code = FindingCode::numerics_changed,
          .severity = Severity::cause,
          .message =
              fmt::format("{}: {}{}", label_of(verdict.metric), verdict.detail, isa_note(input, work_baseline(input))),
          .advice = advice,
          .metric = verdict.metric};
}

/// Whether processes of the same code differ in that metric by more than its tolerance.
bool processes_differ_in(const JudgedComparison& input, const std::string& metric) {
  const auto& processes = input.current.numerics;
  return std::any_of(processes.begin(), processes.end(), [&](const NumericTrace& other) {
    return numeric_sequence(processes.front(), metric) != nullptr && numeric_sequence(other, metric) != nullptr &&
           first_outside(sequence_of(input, metric, processes.front(), other)).has_value();
  });
}

/// A loss that pass numerics found finite in every step: explain_late_breaks() tells where it is not.
bool breaks_late(const JudgedComparison& input, const std::string& metric) {
  const auto is_broken = [&](const NumericTrace& trace) {
    const auto* const values = numeric_sequence(trace, metric);
    return values != nullptr && first_non_finite(*values).has_value();
  };
  return verdict_on(input, metric)->reason == ReasonCode::non_finite &&
         std::none_of(input.current.numerics.begin(), input.current.numerics.end(), is_broken);
}

/// The red metrics of tier numeric, in the order of the catalogue.
std::vector<std::string> red_sequences(const JudgedComparison& input) {
  std::set<std::string_view> names;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.status == Status::regressed) names.insert(verdict.metric);
  }
  std::vector<std::string> red;
  for (const Metric& metric : known_metrics(names)) {
    if (metric.tier == Tier::numeric) red.emplace_back(metric.name);
  }
  return red;
}

std::vector<Finding> first_difference(const JudgedComparison& input) {
  const MetricVerdict* red = nullptr;
  for (const std::string& metric : red_sequences(input)) {
    if (red == nullptr && metric != "final_loss" && !breaks_late(input, metric)) red = verdict_on(input, metric);
  }
  if (red == nullptr && is_red(input, "final_loss")) {
    const MetricVerdict& final_loss = *verdict_on(input, "final_loss");
    return {fallback(input, final_loss, final_loss.reason == ReasonCode::non_finite ? broken_run : drifted_run)};
  }
  if (red == nullptr) return {};
  const Baseline* baseline = work_baseline(input);
  // Replicates differ where the device is not deterministic: any of them may be the one that broke.
  for (const NumericTrace& now : input.current.numerics) {
    if (auto finding = non_finite_finding(input, now)) return {*finding};
  }
  for (const NumericTrace& now : input.current.numerics) {
    if (baseline == nullptr || !baseline->numerics) break;
    if (auto finding = difference_finding(input, *baseline, now)) return {*finding};
  }
  if (processes_differ_in(input, red->metric)) return {};  // losses-vary names it and the likely source
  return {fallback(input, *red)};
}

}  // namespace

std::vector<Finding> explain_numerics(const JudgedComparison& input) {
  std::vector<Finding> findings = first_difference(input);
  for (Finding& finding : findings) {
    for (const std::string& metric : red_sequences(input)) {
      if (metric != finding.metric) finding.also.push_back(metric);
    }
  }
  return findings;
}

}  // namespace stepgate

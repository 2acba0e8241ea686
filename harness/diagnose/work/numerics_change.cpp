#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/record/loss_sequences.h"
#include "core/text/number_format.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// Gradients of two neighbouring steps that are added up are up to twice as long, 1.4 times if they are unrelated.
/// Below this factor it is not that.
constexpr double accumulation_factor = 1.1;

bool differ(double before, double now, const NumericTolerance& tolerance) {
  return !(std::abs(now - before) <= tolerance.atol + tolerance.rtol * std::abs(before));
}

/// One sequence (a loss or the gradient norm) on both sides.
struct Sequence {
  std::string metric;
  const std::vector<double>& before;
  const std::vector<double>& now;
  NumericTolerance tolerance;
  std::size_t compared;  ///< steps that the policy compares

  std::size_t length() const { return std::min({before.size(), now.size(), compared}); }
};

std::optional<std::size_t> first_difference(const Sequence& sequence) {
  for (std::size_t step = 0; step < sequence.length(); ++step) {
    if (differ(sequence.before[step], sequence.now[step], sequence.tolerance)) return step;
  }
  return std::nullopt;
}

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

std::string size_at(const Sequence& sequence, std::size_t step) {
  const double before = sequence.before[step];
  const double now = sequence.now[step];
  const std::string relative = before == 0 ? "" : fmt::format(" ({})", change_text((now - before) / std::abs(before)));
  return fmt::format("{} of step {} was {:.6g}, is {:.6g}{}", label_of(sequence.metric), step, before, now, relative);
}

struct Explanation {
  FindingCode code;
  std::string what;
  std::string advice;
};

Explanation explain_gradient(const Sequence& norms, std::size_t step) {
  const double factor = norms.before[step] == 0 ? 0 : norms.now[step] / norms.before[step];
  if (step == 1 && factor > accumulation_factor) {
    return {FindingCode::gradients_accumulate,
            "backward, from step 1 on: the first step agrees, then the gradient is longer: gradients add up over "
            "steps",
            "zero_grad() is missing or comes at the wrong place."};
  }
  return {FindingCode::gradient_changed,
          fmt::format("backward, from step {} on: losses up to it agree, its gradient does not", step),
          "look at what enters the graph: a detach(), a changed loss scale, another reduction, clipping before it is "
          "read, or another backward kernel."};
}

Explanation explain_loss(std::size_t step) {
  if (step == 0) {
    return {FindingCode::forward_changed, "forward: the very first loss differs, before anything was learnt",
            "the model, its initial weights, the loss, or the data and its order changed."};
  }
  if (step == 1) {
    return {FindingCode::update_changed,
            "optimizer: the first loss and its gradient agree, the loss after the update does not",
            "learning rate, optimizer settings, clipping, or where zero_grad() is called changed."};
  }
  return {
      FindingCode::numerics_diverge, fmt::format("from step {} on: up to step {} everything agrees", step, step - 1),
      "something that starts later: a schedule, the first update of accumulated gradients, the batch or augmentation "
      "of that step, or a small difference of the update that has grown to the tolerance."};
}

/// The boundary that computes the metric: a further loss has the name of its own.
std::string boundary_of(const std::string& metric, const StepBoundaries& boundaries) {
  if (const std::string_view own = member_name(metric); !own.empty()) return std::string(own);
  if (metric == "loss_scale") return "optimizer";
  if (boundaries.find(whole_step_name) && !boundaries.find("forward")) return whole_step_name;
  return metric == "grad_norm" ? "backward" : "forward";
}

/// The boundary for a finding. Only a further loss has one, since the others are not measured by boundary.
std::string own_boundary_of(const std::string& metric) { return std::string(member_name(metric)); }

/// The sequences of `now` in the order in which a step computes them: what differs first in a step is the cause of what
/// differs later in it. A further loss without a boundary of its own comes after the loss.
std::vector<std::string> in_step_order(const JudgedComparison& input, const NumericTrace& now) {
  const StepBoundaries& boundaries = input.current.boundaries;
  const auto place_of = [&](const std::string& metric) {
    return boundaries.place_of(boundaries.find(boundary_of(metric, boundaries)).value_or(Boundary::forward));
  };
  std::vector<std::string> metrics = numeric_metrics(now);
  std::stable_sort(metrics.begin(), metrics.end(),
                   [&](const std::string& a, const std::string& b) { return place_of(a) < place_of(b); });
  return metrics;
}

/// A place in a sequence.
struct SequencePlace {
  std::string metric;
  std::size_t step;
};

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

Explanation explain_further_loss(const std::string& metric, std::size_t step) {
  const std::string_view name = member_name(metric);
  return {FindingCode::loss_changed,
          step == 0 ? fmt::format("{}: its very first value differs, before anything was learnt", name)
                    : fmt::format("{}, from step {} on: every loss up to it agrees", name, step),
          fmt::format("look at what computes the loss of {}: its model, its inputs, and the optimizer that it steps.",
                      name)};
}

Explanation explain_loss_scale(const Sequence& sequence, std::size_t step) {
  return {
      FindingCode::loss_scale_changed,
      fmt::format("optimizer: after step {} the loss scale is {:g}, was {:g}", step, sequence.now[step],
                  sequence.before[step]),
      "other steps overflow than before, or the scaler's options changed: init_scale, growth_interval, or a missing "
      "update()."};
}

Explanation explanation_of(const Sequence& sequence, std::size_t step) {
  if (sequence.metric == "loss") return explain_loss(step);
  if (sequence.metric == "loss_scale") return explain_loss_scale(sequence, step);
  return sequence.metric == "grad_norm" ? explain_gradient(sequence, step)
                                        : explain_further_loss(sequence.metric, step);
}

/// The sequences of a metric that both traces have.
Sequence sequence_of(const JudgedComparison& input, const std::string& metric, const NumericTrace& before,
                     const NumericTrace& now) {
  const Policy& policy = input.policy;
  const Baseline* baseline = work_baseline(input);
  const Scope scope = baseline == nullptr ? Scope::portable : baseline->scope;
  const NumericTolerance tolerance =
      numeric_tolerance(policy, metric, {scope, dtype_of(input.current.exact_fingerprint)});
  return Sequence{metric, *numeric_sequence(before, metric), *numeric_sequence(now, metric), tolerance,
                  static_cast<std::size_t>(std::max<std::int64_t>(policy.numeric_steps, 0))};
}

/// The earliest step in which two traces differ by more than the tolerance, and in it the metric that is computed
/// first.
std::optional<SequencePlace> first_difference_of(const JudgedComparison& input, const NumericTrace& before,
                                                 const NumericTrace& now) {
  std::optional<SequencePlace> first;
  for (const std::string& metric : in_step_order(input, now)) {
    if (numeric_sequence(before, metric) == nullptr) continue;
    const auto step = first_difference(sequence_of(input, metric, before, now));
    if (step && (!first || *step < first->step)) first = SequencePlace{metric, *step};
  }
  return first;
}

/// Whether processes of the same code differ up to that step: then a difference from the baseline shows no change of
/// the code.
bool processes_disagree(const JudgedComparison& input, std::size_t step) {
  const auto& processes = input.current.numerics;
  return std::any_of(processes.begin(), processes.end(), [&](const NumericTrace& other) {
    const auto found = first_difference_of(input, processes.front(), other);
    return found && found->step <= step;
  });
}

bool is_declared_varying(const JudgedComparison& input, const std::string& metric) {
  return varies(varying_metrics(input.policy.varying, input.current.case_name), metric);
}

std::optional<Finding> difference_finding(const JudgedComparison& input, const Baseline& baseline,
                                          const NumericTrace& now) {
  const auto first = first_difference_of(input, *baseline.numerics, now);
  if (!first || is_declared_varying(input, first->metric) || processes_disagree(input, first->step))
    return std::nullopt;
  const Sequence sequence = sequence_of(input, first->metric, *baseline.numerics, now);
  const Explanation found = explanation_of(sequence, first->step);
  return Finding{
      .code = found.code,
      .severity = Severity::cause,
      .message = fmt::format("{}; {}{}", found.what, size_at(sequence, first->step), isa_note(input, &baseline)),
      .advice = found.advice,
      .metric = first->metric,
      .boundary = own_boundary_of(first->metric)};
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
           first_difference(sequence_of(input, metric, processes.front(), other)).has_value();
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

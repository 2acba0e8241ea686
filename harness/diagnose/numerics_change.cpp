#include "diagnose/numerics_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// Gradients of two neighbouring steps that are added up are up to twice as long, 1.4 times if they are unrelated.
/// Below this factor it is not that.
constexpr double accumulation_factor = 1.1;

struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

bool differ(double before, double now, const Tolerance& tolerance) {
  return !(std::abs(now - before) <= tolerance.absolute + tolerance.relative * std::abs(before));
}

/// One sequence (loss or gradient norm) on both sides.
struct Sequence {
  std::string label;
  const std::vector<double>& before;
  const std::vector<double>& now;
  Tolerance tolerance;
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
std::string isa_note(const Comparison& input, const Baseline* baseline) {
  if (baseline != nullptr && baseline->scope != Scope::portable) return "";
  const auto isa = input.current.exact_fingerprint.find("isa");
  if (isa == input.current.exact_fingerprint.end()) return baseline == nullptr ? "" : " [ISA unknown]";
  return fmt::format(" [ISA {}]", isa->second);
}

std::string size_at(const Sequence& sequence, std::size_t step) {
  const double before = sequence.before[step];
  const double now = sequence.now[step];
  const std::string relative = before == 0 ? "" : fmt::format(" ({})", change_text((now - before) / std::abs(before)));
  return fmt::format("{} of step {} was {:.6g}, is {:.6g}{}", sequence.label, step, before, now, relative);
}

struct Explanation {
  std::string code;
  std::string what;
  std::string advice;
};

Explanation explain_gradient(const Sequence& norms, std::size_t step) {
  const double factor = norms.before[step] == 0 ? 0 : norms.now[step] / norms.before[step];
  if (step == 1 && factor > accumulation_factor) {
    return {"gradients-accumulate",
            "backward, from step 1 on: the first step is equal, then the gradient is longer: gradients add up over "
            "steps",
            "zero_grad() is missing or comes at the wrong place."};
  }
  return {"gradient-changed",
          fmt::format("backward, from step {} on: losses up to it are equal, its gradient is not", step),
          "look at what enters the graph: a detach(), a changed loss scale, another reduction, clipping before it is "
          "read, or another backward kernel."};
}

Explanation explain_loss(std::size_t step) {
  if (step == 0) {
    return {"forward-changed", "forward: the very first loss differs, before anything was learnt",
            "the model, its initial weights, the loss, or the data and its order changed."};
  }
  if (step == 1) {
    return {"update-changed", "optimizer: the first loss and its gradient are equal, the loss after the update is not",
            "learning rate, optimizer settings, clipping, or where zero_grad() is called changed."};
  }
  return {"numerics-diverge", fmt::format("from step {} on: up to step {} everything is equal", step, step - 1),
          "something that starts later: a schedule, the batch or augmentation of that step, or a small difference of "
          "the update that has grown to the tolerance."};
}

std::optional<Finding> non_finite_finding(const Comparison& input, const NumericTrace& now) {
  const auto loss = first_non_finite(now.loss);
  const auto norm = first_non_finite(now.grad_norm);
  if (!loss && !norm) return std::nullopt;
  // Within a step the loss comes first: a gradient that breaks in the same step follows from it.
  const bool loss_first = loss && (!norm || *loss <= *norm);
  return Finding{.code = "non-finite",
                 .severity = Severity::cause,
                 .message = fmt::format("{}: {} of step {} is {:g}, the first value that is not finite{}",
                                        loss_first ? "forward" : "backward", loss_first ? "loss" : "gradient norm",
                                        loss_first ? *loss : *norm, loss_first ? now.loss[*loss] : now.grad_norm[*norm],
                                        isa_note(input, work_baseline(input))),
                 .advice = loss_first ? "a division by zero, log of zero or overflow in forward or loss; if earlier "
                                        "losses grew, the learning rate is too high."
                                      : "an overflow in backward: the derivative of a square root or norm at zero, or "
                                        "a loss scale that is too large.",
                 .metric = loss_first ? "loss" : "grad_norm"};
}

std::optional<Finding> difference_finding(const Comparison& input, const Baseline& baseline, const NumericTrace& now) {
  const Policy& policy = input.policy;
  const auto compared = static_cast<std::size_t>(std::max<std::int64_t>(policy.numeric_steps, 0));
  const Sequence losses{"loss", baseline.numerics->loss, now.loss, {policy.loss_rtol, policy.loss_atol}, compared};
  const Sequence norms{
      "gradient norm", baseline.numerics->grad_norm, now.grad_norm, {policy.grad_norm_rtol, 0}, compared};
  const auto loss = first_difference(losses);
  const auto norm = first_difference(norms);
  if (!loss && !norm) return std::nullopt;
  const bool loss_first = loss && (!norm || *loss <= *norm);
  const Explanation found = loss_first ? explain_loss(*loss) : explain_gradient(norms, *norm);
  const std::string size = loss_first ? size_at(losses, *loss) : size_at(norms, *norm);
  return Finding{.code = found.code,
                 .severity = Severity::cause,
                 .message = fmt::format("{}; {}{}", found.what, size, isa_note(input, &baseline)),
                 .advice = found.advice,
                 .metric = loss_first ? "loss" : "grad_norm"};
}

constexpr const char* drifted_run =
    "the first steps are within their limits and whole runs are not: look for a schedule, an accumulated error, or a "
    "statistic that drifts. Both runs of each seed are in seeds/ of the case's folder.";
constexpr const char* broken_run =
    "the runs are in seeds/ of the case's folder: find the first value that is not finite.";

/// For a difference that only the verdict sees: it compares another number of steps, or has limits of its own.
Finding fallback(const Comparison& input, const MetricVerdict& verdict, const char* advice = "") {
  return {.code = "numerics-changed",
          .severity = Severity::cause,
          .message =
              fmt::format("{}: {}{}", label_of(verdict.metric), verdict.detail, isa_note(input, work_baseline(input))),
          .advice = advice,
          .metric = verdict.metric};
}

std::vector<Finding> first_difference(const Comparison& input) {
  const MetricVerdict* red = nullptr;
  for (const char* metric : {"grad_norm", "loss"}) {
    if (is_red(input, metric)) red = verdict_on(input, metric);
  }
  if (red == nullptr && is_red(input, "final_loss")) {
    const MetricVerdict& final_loss = *verdict_on(input, "final_loss");
    return {fallback(input, final_loss, final_loss.reason == "non-finite" ? broken_run : drifted_run)};
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
  return {fallback(input, *red)};
}

}  // namespace

std::vector<Finding> explain_numerics(const Comparison& input) {
  std::vector<Finding> findings = first_difference(input);
  for (Finding& finding : findings) {
    for (const char* metric : {"loss", "grad_norm", "final_loss"}) {
      if (metric != finding.metric && is_red(input, metric)) finding.also.emplace_back(metric);
    }
  }
  return findings;
}

}  // namespace stepgate

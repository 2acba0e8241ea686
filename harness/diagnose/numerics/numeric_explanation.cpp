#include "diagnose/numerics/numeric_explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/boundary.h"
#include "core/metric.h"
#include "core/record/loss_sequences.h"
#include "core/text/number_format.h"
#include "diagnose/numerics/recognised_factor.h"
#include "diagnose/work/operator_difference.h"

namespace stepgate {
namespace {

/// Gradients of two neighbouring steps that are added up are up to twice as long, 1.4 times if they are unrelated.
/// Below this factor it is not that.
constexpr double accumulation_factor = 1.1;

constexpr const char* of_update =
    "learning rate, optimizer settings, clipping, or where zero_grad() is called changed; or the next batch, if the "
    "step draws random numbers outside LibTorch.";

struct Explanation {
  FindingCode code;
  std::string what;
  std::string advice;
};

/// The values of a metric on both sides in one step. Borrows.
struct ValuesAt {
  const JudgedComparison& input;
  const NumericSequence& sequence;
  std::size_t step;
};

std::string size_at(const NumericSequence& sequence, std::size_t step) {
  const double before = sequence.before[step];
  const double now = sequence.now[step];
  const std::string relative = before == 0 ? "" : fmt::format(" ({})", change_text((now - before) / std::abs(before)));
  std::string was = fmt::format("{:.6g}", before);
  std::string is = fmt::format("{:.6g}", now);
  if (was == is) {
    was = fmt::format("{:.9g}", before);
    is = fmt::format("{:.9g}", now);
  }
  return fmt::format("{} of step {} was {}, is {}{}", label_of(sequence.metric), step, was, is, relative);
}

bool changed_optimizer(const JudgedComparison& input) {
  const auto changes = operator_difference(input);
  return std::any_of(changes.begin(), changes.end(),
                     [](const OperatorChange& change) { return change.boundary == name_of(Boundary::optimizer); });
}

bool draws_numbers(std::string_view name) {
  constexpr std::array<std::string_view, 16> random = {
      "aten::bernoulli", "aten::bernoulli_", "aten::exponential_", "aten::multinomial", "aten::native_dropout",
      "aten::normal",    "aten::normal_",    "aten::rand",         "aten::rand_like",   "aten::randint",
      "aten::randn",     "aten::randn_like", "aten::random_",      "aten::randperm",    "aten::rrelu_with_noise",
      "aten::uniform_"};
  return std::find(random.begin(), random.end(), name) != random.end();
}

/// "forward +1 aten::bernoulli_": what draws other random numbers than before. They shift all that are drawn later. ""
/// where nothing does.
std::string changed_draws(const JudgedComparison& input) {
  std::string text;
  for (const OperatorChange& change : operator_difference(input)) {
    if (draws_numbers(change.name))
      text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", change.boundary,
                          difference_text(MetricUnit::count, change.difference()), change.name);
  }
  return text;
}

Explanation explain_gradient(const ValuesAt& at) {
  const auto& [input, norms, step] = at;
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

Explanation explain_loss(const ValuesAt& at) {
  if (at.step == 0) {
    return {FindingCode::forward_changed, "forward: the very first loss differs, before anything was learnt",
            "the model, its initial weights, the loss, or the data and its order changed."};
  }
  const std::string draws = changed_draws(at.input);
  if (!draws.empty()) {
    return {FindingCode::numerics_diverge,
            fmt::format("from step {} on: up to step {} everything agrees, and a step draws other random numbers: {}",
                        at.step, at.step - 1, draws),
            "numbers that are drawn more or less often shift all later ones, as of dropout, augmentation and the order "
            "of data: give what is new a generator of its own."};
  }
  if (at.step == 1) {
    return {FindingCode::update_changed,
            "optimizer: the first loss and its gradient agree, the loss after the update does not", of_update};
  }
  if (changed_optimizer(at.input)) {
    return {FindingCode::update_changed,
            fmt::format("optimizer: losses and gradients up to step {} agree, the loss after its update does not, and "
                        "the optimizer calls other operators",
                        at.step - 1),
            of_update};
  }
  return {FindingCode::numerics_diverge,
          fmt::format("from step {} on: up to step {} everything agrees", at.step, at.step - 1),
          "something that starts later: a schedule, the first update of accumulated gradients, the batch or "
          "augmentation of that step, or a small difference of the update that has grown to the tolerance."};
}

Explanation explain_further_loss(const ValuesAt& at) {
  const std::string_view name = member_name(at.sequence.metric);
  return {FindingCode::loss_changed,
          at.step == 0 ? fmt::format("{}: its very first value differs, before anything was learnt", name)
                       : fmt::format("{}, from step {} on: every loss up to it agrees", name, at.step),
          fmt::format("look at what computes the loss of {}: its model, its inputs, and the optimizer that it steps.",
                      name)};
}

Explanation explain_loss_scale(const ValuesAt& at) {
  const auto& [input, sequence, step] = at;
  return {
      FindingCode::loss_scale_changed,
      fmt::format("optimizer: after step {} the loss scale is {:g}, was {:g}", step, sequence.now[step],
                  sequence.before[step]),
      "other steps overflow than before, or the scaler's options changed: init_scale, growth_interval, or a missing "
      "update()."};
}

Explanation explanation_of(const ValuesAt& at) {
  const std::string& metric = at.sequence.metric;
  if (metric == "loss") return explain_loss(at);
  if (metric == "loss_scale") return explain_loss_scale(at);
  return metric == "grad_norm" ? explain_gradient(at) : explain_further_loss(at);
}

}  // namespace

NumericExplanation explain_difference(const JudgedComparison& input, const NumericDifference& difference,
                                      const NumericTrace& before, const NumericTrace& now) {
  const auto& [first, outside, rounding_from] = difference;
  const NumericSequence sequence = sequence_of(input, first.metric, before, now);
  Explanation found = explanation_of({input, sequence, first.step});
  std::string message = found.what + "; " + size_at(sequence, first.step);
  const auto factor = recognised_factor(input, first, before, now);
  if (factor && first.metric != "loss_scale") {
    message += ": " + factor->says;
    if (!factor->advice.empty()) found.advice = factor->advice;
  }
  if (first.step != outside.step)
    message += fmt::format("; out of tolerance from step {} on: {}", outside.step,
                           size_at(sequence_of(input, outside.metric, before, now), outside.step));
  if (rounding_from) message += fmt::format("; from step {} on values differ by rounding", *rounding_from);
  return {found.code, std::move(message), std::move(found.advice)};
}

}  // namespace stepgate

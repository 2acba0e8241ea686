#include "diagnose/work/model_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/work/model_bytes.h"
#include "diagnose/work/more_updates.h"
#include "diagnose/work/operator_difference.h"

namespace stepgate {
namespace {

std::string what_was_added(std::int64_t tensors, std::int64_t bytes) {
  const std::string size = bytes > 0 ? difference_text(MetricUnit::bytes, static_cast<double>(bytes)) : "";
  if (tensors == 0) return fmt::format("the parameters are larger, {}, in as many tensors as before", size);
  return fmt::format("the model has {}{}", counted(tensors, "more parameter tensor"), size.empty() ? "" : ", " + size);
}

/// A compiled step sets its gradients in a call of its own, where no operator shows them: its eager twin then seems to
/// have all of its parameters anew.
bool baseline_sets_gradients(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return false;
  const auto backward = baseline->operators.find(std::string(name_of(Boundary::backward)));
  return backward != baseline->operators.end() && backward->second.contains("aten::detach");
}

/// As a layer does that is split into several with as many parameters together.
bool forward_calls_more(const JudgedComparison& input) {
  const auto changes = operator_difference(input);
  return std::any_of(changes.begin(), changes.end(), [](const OperatorChange& change) {
    return change.boundary == name_of(Boundary::forward) && change.difference() > 0;
  });
}

}  // namespace

std::optional<std::int64_t> more_parameter_tensors(const JudgedComparison& input) {
  if (!baseline_sets_gradients(input)) return std::nullopt;
  if (updates_factor(input)) return std::nullopt;  // as many gradients are set and released more often
  const auto changes = operator_difference(input);
  const auto set = whole_calls(calls_more(changes, "backward", "aten::detach"));
  double detached = 0;
  for (const OperatorChange& change : changes) {
    if (change.name == "aten::detach_") detached += change.difference();
  }
  return set && *set > 0 && whole_calls(detached) == set ? set : std::nullopt;
}

std::vector<Finding> explain_model_size(const JudgedComparison& input) {
  const std::int64_t bytes = more_parameter_bytes(input);
  const std::int64_t tensors = more_parameter_tensors(input).value_or(0);
  if (input.verdict.status != Status::regressed || (bytes <= 0 && tensors == 0)) return {};
  // Gradients are set of parameters that had none: requires_grad_() of a layer that was frozen.
  if (has_equal_parameters(input) && !forward_calls_more(input)) return {};
  return {{.code = FindingCode::parameters_added,
           .severity = Severity::cause,
           .message = what_was_added(tensors, bytes),
           .advice = "a layer was added or made larger. If that is meant, accept the new baseline; else look at the "
                     "sizes that the model is built with.",
           .metric = tensors > 0 ? "operators_per_step" : "peak_allocated_bytes"}};
}

}  // namespace stepgate

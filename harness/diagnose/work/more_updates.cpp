#include "diagnose/work/more_updates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/recorded_nodes.h"
#include "diagnose/work/model_bytes.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// One more update in two steps. Below it, further parameter tensors and an update are hard to tell apart.
constexpr double least_factor = 1.5;
/// With fewer operators, one that is called more often could have any reason.
constexpr std::size_t fewest_operators = 2;

using Calls = std::map<std::string, std::int64_t>;

Calls optimizer_calls(const std::map<std::string, Calls>& by_boundary) {
  const auto at = by_boundary.find("optimizer");
  return at == by_boundary.end() ? Calls{} : at->second;
}

/// A larger model has more operators in forward, or larger parameters. One that trains more of its layers records more
/// nodes.
bool trains_more_parameters(const JudgedComparison& input) {
  const auto changes = operator_difference(input);
  return more_parameter_bytes(input) > 0 || more_recorded_nodes(input) ||
         std::any_of(changes.begin(), changes.end(), [](const OperatorChange& change) {
           return change.boundary == name_of(Boundary::forward) && change.difference() > 0;
         });
}

}  // namespace

std::optional<double> updates_factor(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr || trains_more_parameters(input)) return std::nullopt;
  const Calls before = optimizer_calls(baseline->operators);
  const Calls now = optimizer_calls(input.current.counts.operators);
  const auto steps_before = static_cast<double>(counted_steps(baseline->exact));
  const auto steps_now = static_cast<double>(counted_steps(input.current.counts.per_step));
  if (before.size() < fewest_operators || before.size() != now.size() || steps_before == 0 || steps_now == 0)
    return std::nullopt;
  std::optional<double> factor;
  for (const auto& [name, calls] : now) {
    const auto at = before.find(name);
    if (at == before.end() || at->second == 0) return std::nullopt;
    const double each = static_cast<double>(calls) / steps_now / (static_cast<double>(at->second) / steps_before);
    if (factor && std::abs(each - *factor) > 1e-6 * *factor) return std::nullopt;
    factor = each;
  }
  return factor && *factor >= least_factor ? factor : std::nullopt;
}

std::vector<Finding> explain_more_updates(const JudgedComparison& input) {
  if (input.verdict.status != Status::regressed) return {};
  const auto factor = updates_factor(input);
  if (!factor) return {};
  const std::size_t operators = optimizer_calls(input.current.counts.operators).size();
  return {{.code = FindingCode::updates_more_often,
           .severity = Severity::cause,
           .message =
               fmt::format("optimizer: each of its {} is called {:.3g} times as often: parameters are updated {:.3g} "
                           "times as often",
                           counted(operators, "operator"), *factor, *factor),
           .advice =
               "look for an update after each micro-batch, where gradients of several were accumulated before, or "
               "for a second call of the optimizer's step.",
           .metric = "operators_per_step",
           .boundary = "optimizer",
           .sources = sources_of(input, "optimizer", optimizer_calls(input.current.counts.operators).begin()->first)}};
}

}  // namespace stepgate

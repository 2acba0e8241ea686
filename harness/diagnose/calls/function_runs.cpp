#include "diagnose/calls/function_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/record/observed_work.h"
#include "core/stored/baseline.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// Sums over some hundred steps divided by their number: equal counts differ by far less than this.
constexpr double run_rounding = 1e-6;

using CallsByOperator = std::map<std::string, std::map<std::string, double>>;  ///< operator -> function -> per step

/// Innermost functions, as baselines keep them.
CallsByOperator calls_now(const ObservedWork& work, std::string_view boundary) {
  CallsByOperator calls;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary != boundary || !site.place || *site.place >= work.places.size()) continue;
    const auto& frames = work.places[*site.place].frames;
    if (frames.empty() || frames.front().function.empty()) continue;
    calls[site.name][frames.front().function] += static_cast<double>(site.calls) / static_cast<double>(work.steps);
  }
  return calls;
}

double calls_before(const Baseline& baseline, const std::string& boundary, const std::string& name,
                    const std::string& function) {
  const auto operators = baseline.operator_functions.find(boundary);
  if (operators == baseline.operator_functions.end()) return 0;
  const auto functions = operators->second.find(name);
  if (functions == operators->second.end()) return 0;
  const auto calls = functions->second.find(function);
  if (calls == functions->second.end()) return 0;
  return static_cast<double>(calls->second) / static_cast<double>(counted_steps(baseline.exact));
}

/// The most calls of one operator that the function calls as often as before; 1 where there is none.
double runs_of(const std::string& function, const CallsByOperator& now, const Baseline& baseline,
               const std::string& boundary) {
  double runs = 1;
  for (const auto& [name, functions] : now) {
    const auto calls = functions.find(function);
    if (calls == functions.end()) continue;
    const bool as_before = std::abs(calls->second - calls_before(baseline, boundary, name, function)) < run_rounding;
    if (as_before) runs = std::max(runs, calls->second);
  }
  return runs;
}

}  // namespace

std::optional<double> calls_per_run(const JudgedComparison& input, std::string_view boundary, std::string_view name) {
  const auto& observed = input.current.counts.observed;
  const Baseline* baseline = work_baseline(input);
  if (!observed || observed->steps <= 0 || baseline == nullptr || baseline->operator_functions.empty() ||
      baseline->functions_from != name_of(observed->frames_from) || counted_steps(baseline->exact) == 0)
    return std::nullopt;
  const CallsByOperator now = calls_now(*observed, boundary);
  const auto functions = now.find(std::string(name));
  if (functions == now.end()) return std::nullopt;
  double most = 0;
  for (const auto& [function, calls] : functions->second)
    most = std::max(most, calls / runs_of(function, now, *baseline, std::string(boundary)));
  return most;
}

}  // namespace stepgate

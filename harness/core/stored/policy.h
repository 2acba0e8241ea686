// The limits of a suite. They have their own file (perftests/<suite>/policy.json), so that a diff shows a looser limit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/evidence.h"
#include "core/stored/varying_metric.h"

namespace stepgate {

/// Relative changes: 0.01 is one percent. A change below `ignore` never counts; one of `matter` must be detected.
struct Margins {
  double ignore = 0.01;
  double matter = 0.05;
};

/// A limit on the value of one metric in the cases that it names, in the unit of the metric.
struct CaseLimit {
  std::string cases;  ///< name or pattern of case names: * stands for any text, ? for one character
  std::string metric;
  double value = 0;
  std::string runner_class = {};  ///< it holds on this class only; "": on every class
};

/// A temporary exception. An expired waiver fails the case.
struct Waiver {
  std::string case_name;
  std::string metric;
  std::string owner;
  std::string until;  ///< last day, "2026-12-31"
  std::string reason;
};

/// What a run says of limits that its tree loosens against the base build. The base's own policy decides it.
enum class LooseningRule {
  shown,          ///< every report names them first
  needs_consent,  ///< and the run is red until somebody allows them (--allow-loosening)
};

constexpr std::string_view name_of(LooseningRule rule) {
  return rule == LooseningRule::shown ? "shown" : "needs_consent";
}
constexpr std::optional<LooseningRule> loosening_rule_named(std::string_view name) {
  if (name == name_of(LooseningRule::shown)) return LooseningRule::shown;
  return name == name_of(LooseningRule::needs_consent) ? std::optional(LooseningRule::needs_consent) : std::nullopt;
}

/// Numbers and their origin: docs/design/baselines_and_policy.md, "Policy keys".
struct Policy {
  Margins margins;
  std::map<std::string, Margins> metric_margins;  ///< metric name -> own margins instead of the defaults
  std::set<std::string> must_decide;              ///< following metrics that keep a case open until they are decided
  double alpha = 0.05;                            ///< false red per suite
  double beta = 0.05;                             ///< false pass per metric at the matter margin
  double prior_spread = 0.02;   ///< expected between-session standard deviation, before any session is stored
  double prior_weight = 4;      ///< the prior weighs as much as this number of sessions
  double session_gap_s = 1800;  ///< sessions closer than this count as one
  std::int64_t confirmed_sessions =
      5;                       ///< with so many sessions a stored baseline alone may give a red (labelled unconfirmed)
  double coarse_limit = 0.25;  ///< with fewer sessions only a larger change is red
  std::int64_t min_clean_replicates = 3;
  std::map<std::string, std::int64_t> exact_tolerance;  ///< metric -> allowed increase per step (default 0)
  std::int64_t bytes_tolerance = 0;                     ///< allowed increase in bytes ...
  double bytes_relative_tolerance = 0;                  ///< ... or in proportion, whichever is larger
  double loss_rtol = 1e-4;
  double loss_atol = 1e-6;
  double grad_norm_rtol = 1e-3;
  /// In place of the three above where a portable baseline was measured in bfloat16 or float16. Under the pins two
  /// CPUs differed by 9e-5 in a gradient norm, and float32 in place of bfloat16 by 1e-3 (docs/decisions/0022).
  double low_precision_rtol = 5e-4;
  Margins final_loss_margins;       ///< for the mean final loss over seeds, in either direction
  std::int64_t numeric_steps = 21;  ///< steps 0..20 are compared
  TaintLimits taint_limits;         ///< override the defaults of core/record/evidence_key.h
  /// Runner class -> dtype -> dense TFLOP/s of one device, before the table of known GPUs.
  std::map<std::string, std::map<std::string, double>> peak_tflop_per_s;
  std::map<std::string, double> budgets;  ///< lower-is-better metric -> its highest allowed value, in its own unit
  /// Budgeted metric -> patterns of the cases that its budget holds for; without an entry it holds for all.
  std::map<std::string, std::vector<std::string>> budget_cases;
  std::vector<CaseLimit> floors;        ///< lowest allowed values of metrics of which more is better
  std::vector<CaseLimit> case_budgets;  ///< as `budgets`, case by case; of several the strictest holds
  std::vector<CaseLimit> targets;       ///< values to be reached: shown, and they change no verdict
  /// Rate -> patterns of the cases in which it gates, by the test of the step time (core/metric_row.h, shares_test_of).
  std::map<std::string, std::vector<std::string>> gating_rates;
  std::vector<VaryingMetrics> varying;  ///< metrics that no stored value can be held against
  std::vector<Waiver> waivers;
  LooseningRule loosening = LooseningRule::shown;
};

}  // namespace stepgate

// The reasons of verdicts. The table in verdict_reason.cpp has one row per reason: its name and what it means.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stepgate {

enum class ReasonCode {
  // A case, before its metrics.
  unavailable,
  too_few_gpus,
  gpu_too_small,
  no_longer_available,
  outgrew_machine,
  program_changed_setting,
  replicate_failed,
  infrastructure,
  needs_values,
  waiver_expired,
  nothing_measured,
  nothing_judged,
  // A metric that cannot be compared.
  no_baseline,
  incompatible_baseline,
  incompatible_tree,
  incompatible_builds,
  metric_missing,
  new_metric,
  not_stored,
  not_judged,
  library_shapes_differ,
  // Counts and bytes.
  equal,
  within_limit,
  above_limit,
  below_baseline,
  changed,
  replicates_disagree,
  leak,
  bytes_vary,
  counts_vary,
  too_few_processes,
  varying,
  outside_range,
  // Losses and gradients.
  numerics_changed,
  non_finite,
  baseline_non_finite,
  seeds_differ,
  steps_differ,
  too_few_seeds,
  // Times, by stored sessions.
  faster,
  regressed_unconfirmed,
  beyond_coarse_limit,
  interval_too_wide,
  few_sessions,
  reference_moved,
  no_reference,
  clock_moved,
  conditions_changed,
  not_steady,
  too_few_clean_replicates,
  not_positive,
  // Times, by pairs.
  regressed,
  control_moved,
  more_pairs_needed,
  left_undecided,
  too_noisy,
  no_pairs,
  too_few_pairs,
  too_few_clean_pairs,
  autocorrelated_differences,
  drifting_differences,
  two_modes,
  constant_differences,
  not_finite,
  queue_unstable,
  // Boundaries.
  boundary_slower,
  percentile_slower,
  slower_below_margin,
  not_significant,
  not_tested,
  // The policy.
  waived,
  over_budget,
  budget_undecided,
  budget_unchecked,
  below_floor,
  floor_undecided,
  floor_unchecked,
  rate_unmeasured,
  work_varies,
  limit_not_judged,
};

struct ReasonRow {
  ReasonCode code;
  std::string_view name;         ///< as every file and report has it
  std::string_view meaning;      ///< one sentence
  bool ran_before = false;       ///< the case could run here, or on this runner class, before
  bool of_tree = false;          ///< the tree under test may have made it so: unlike another machine, never skipped
  bool not_in_baseline = false;  ///< the measurement has the metric, the baseline does not
  bool withholds_red = false;    ///< the figures may be those of a regression
  bool of_limit = false;         ///< a limit of the policy decides: no new baseline clears it
};

/// All rows, in the order of the codes.
std::span<const ReasonRow> reason_rows();
std::string_view name_of(ReasonCode code);

/// A row of the table, no reason at all, or the name of a reason that this version does not know.
class VerdictReason {
 public:
  VerdictReason() = default;                       ///< no reason: its name is ""
  VerdictReason(ReasonCode code) : code_(code) {}  // implicit, so that `reason == ReasonCode::waived` compares

  /// The reason of a stored name. A name that is not in the table, as another version may write it, is kept as text: it
  /// is shown and written as it was read, and equals no code.
  static VerdictReason named(std::string_view name);

  bool empty() const { return !code_ && unknown_name_.empty(); }
  /// Whether that column of its row is true; never for a reason without a row.
  bool is(bool ReasonRow::*column) const;

  bool operator==(const VerdictReason&) const = default;
  /// The view ends with `reason`.
  friend std::string_view name_of(const VerdictReason& reason) {
    return reason.code_ ? name_of(*reason.code_) : std::string_view(reason.unknown_name_);
  }

 private:
  std::optional<ReasonCode> code_;
  std::string unknown_name_;
};

}  // namespace stepgate

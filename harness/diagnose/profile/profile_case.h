// Everything that a profile says, from the processes that were run for it: what a step spends its time on, what limits
// it, how sure that is, and what a mend would win.
#pragma once

#include <optional>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/profile.h"

namespace stepgate {

struct ProfileInput {
  Measurement timed;    ///< the baseline: the unchanged case
  Measurement exact;    ///< counts and memory; without replicates where none ran
  Measurement profile;  ///< group profile
  std::optional<Measurement> doubled_batch = std::nullopt;
  std::optional<Measurement> doubled_threads = std::nullopt;
  double ignore_margin = 0.01;                             ///< relative: a smaller gain does not matter
  std::optional<double> peak_budget_bytes = std::nullopt;  ///< budgets.peak_allocated_bytes of the policy
  /// Of judge/studies/experiment_verdict.h: every row of experiment_table.
  std::vector<ExperimentResult> experiments = {};
};

/// Pure. Fills everything but processes, seconds, interrupted and files, which the caller knows. Where the baseline is
/// discarded (no clean process) or unsteady, only the step is filled and `stopped` says why; without a clean process of
/// group profile, account, operators and peaks are in `absent`. Throws nothing of its own.
Profile profile_case(const ProfileInput& input);

/// Why no phase after the baseline may run: "" if they may. The caller asks before it starts their processes.
std::string why_stopped(const Measurement& timed);

}  // namespace stepgate

// The measurements that a profile is concluded from.
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
  /// "" where times were asked for; else why there are none: "an emulated GPU has no times". Then `timed` has no
  /// replicate, and `profile` holds what the processes of group exact observed.
  std::string no_times = {};
  double ignore_margin = 0.01;                             ///< relative: a smaller gain does not matter
  std::optional<double> peak_budget_bytes = std::nullopt;  ///< budgets.peak_allocated_bytes of the policy
  /// The results by judge/studies/experiment_verdict.h: one for every row of experiment_table.
  std::vector<ExperimentResult> experiments = {};
  std::vector<CallCost> call_costs = {};  ///< by judge/studies/call_costs.h
};

}  // namespace stepgate

// Two builds of one case, operator by operator and line by line, without a verdict.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/study/step_difference.h"
#include "experiment/host/quiet_host.h"
#include "experiment/pairs/pair_options.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct ProfileDifferenceOptions {
  std::string case_name;
  MeasureOptions measure = {};
  HostOptions host = {};
  PairOptions pairs = {};  ///< base_build and order_seed
};

/// <out>/profile/<case>/difference: the observed pairs and difference.json.
std::filesystem::path profile_difference_folder(const Project& project, const std::string& case_name);

/// Observes pairs of processes (pairs/observed_pairs.h) and writes difference.json. Throws Error(usage) without a base
/// build that has the case and as case_to_profile(), Error(measure) where no pair could be observed, with what the
/// process said. Absent where a signal stopped it before the first pair was complete.
std::optional<StepDifference> run_profile_difference(const Project& head, const ProfileDifferenceOptions& options,
                                                     const Caller& caller);

}  // namespace stepgate

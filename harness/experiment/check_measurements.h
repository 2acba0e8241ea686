// `stepgate check`: stored measurements against stored baselines.
#pragma once

#include <filesystem>
#include <vector>

#include "core/verdict/tier_choice.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

struct CheckOptions {
  std::vector<std::filesystem::path> files = {};  ///< measurement.json; empty: all below the output folder
  TierChoice tier = TierChoice::all;              ///< `all`: the half that was measured
};

/// Judges stored measurements as run_gate() judges fresh ones; nothing is measured. Several are read and judged at the
/// same time, and none is kept. Throws the error of the first that cannot be judged, before an older verdict moves
/// aside, and Error(usage) where there is none, one of a case that the manifest lacks, or a named one of another GPU:
/// values of an emulated GPU and of a machine are judged apart.
JudgedRun check_measurements(const Project& project, const CheckOptions& options, const Caller& caller);

}  // namespace stepgate

// The gate: fresh measurements against stored baselines, confirmed where a red needs it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiment/host/quiet_host.h"
#include "experiment/pairs/pair_options.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"

namespace stepgate {

struct GateOptions {
  Selection selection = {};
  MeasureOptions measure = {};
  HostOptions host = {};
  PairOptions pairs = {};            ///< with a base build: times that are not green are confirmed by pairs
  std::string allow_loosening = {};  ///< with a base build: who allows what the tree loosens of its limits
};

/// Measures and judges each selected case. Throws Error(usage) for a debug build and where no case is selected.
JudgedRun run_gate(const Project& project, const GateOptions& options, const Caller& caller);

}  // namespace stepgate

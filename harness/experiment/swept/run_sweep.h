// A sweep: one case over a grid of parameter values, in rounds of fresh processes, one of every setting in each.
#pragma once

#include <filesystem>
#include <string>

#include "core/study/sweep.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "experiment/swept/sweep_options.h"

namespace stepgate {

/// <out>/sweep/<case>: sweep.json and the run records.
std::filesystem::path sweep_folder(const Project& project, const std::string& case_name);

/// Measures all rounds, every setting on the same CPUs, ranks the settings and writes sweep.json. A setting whose
/// process fails is not started again, the others go on. After a signal what was measured until then is ranked, marked
/// as interrupted. Throws Error(usage) for a grid that makes no sense, for a metric that cannot rank, and with the
/// output of the perftest where it refused every setting and does not declare a swept parameter.
Sweep run_sweep(const Project& project, const SweepOptions& options, const Caller& caller);

}  // namespace stepgate

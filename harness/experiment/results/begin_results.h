// Before the first process of a run, and of a suite run: older verdicts no longer count.
#pragma once

#include <vector>

#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "experiment/results/result_folders.h"

namespace stepgate {

/// Call it once nothing can refuse the run any more, before its first process. Moves older verdicts on what the run
/// measures aside, those of the whole suite or comparison too. Each result then says that it has not ended. Throws
/// Error(usage) if a folder cannot be written, before anything has moved.
void begin_results(const Caller& caller, const Project& project, const std::vector<ResultName>& names);

/// Begins a suite run: no older verdict counts any more, in any file that a later reader may take for the suite's
/// answer.
void begin_suite(const Caller& caller, const Project& project);

}  // namespace stepgate

// The command that judges what a suite run left unjudged, and how long it takes.
#pragma once

#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Times without a verdict are judged against a base build: by `ci/perf --against main` where the project has such a
/// script, else by a gate. A half that was not measured is measured. Nothing helps a case whose device is missing.
/// The time is that of four to sixteen pairs, by what the processes of these cases took; absent where one is unknown.
JudgingCommand judging_command(const Project& project, const Caller& caller, const RunReport& report);

}  // namespace stepgate

// What a command leaves on stdout, and the exit status that it gives to whoever called it.
#pragma once

#include <string>

#include "cli/options/groups/judging.h"
#include "cli/presentation.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// The table (or verdict.json with --json), CTest measurements with --ctest. The table ends with the status that the
/// caller gets, and what it means.
void show(const Presentation& how, const RunReport& report, const std::string& exit_sentence);

/// Shows and publishes the report; the exit status. After a signal nothing is shown, and it is 128 + its number.
int finish(const Presentation& how, const JudgedRun& result);

/// The report's status. Under --ctest "inconclusive" and "no baseline" become 77 (skipped), so that CTest shows them
/// as not run rather than red or green; --require-baseline keeps them as failures, and so does a baseline of another
/// tree (has_changed_tree).
int status_for_caller(const Judging& judging, const RunReport& report);

}  // namespace stepgate

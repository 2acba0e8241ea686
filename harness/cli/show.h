// What a command leaves on stdout, and the exit status that it gives to whoever called it.
#pragma once

#include <optional>
#include <string>

#include "cli/options/groups/judging.h"
#include "cli/presentation.h"
#include "core/error.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"

namespace stepgate {

/// The table (or verdict.json with --json), CTest measurements with --ctest. The table ends with the status that the
/// caller gets, and what it means.
void show(const Presentation& how, const RunReport& report, const std::string& exit_sentence);

/// The last line where an output could not be written: the status that follows, and that of the report alone.
std::string failed_output_sentence(const Error& failure, int status);

/// After the report was shown: the outputs that go to stdout or stderr, and annotations. Throws the Error of an output
/// that could not be written, of a file before that of a stream.
void end_report(const Presentation& how, const RunReport& report, const std::optional<Error>& failure_of_file);

/// Writes the outputs that were asked for, and shows the report; the exit status. Throws the Error of an output that
/// could not be written, after the rest. After a signal nothing is shown, and it is 128 + its number.
int finish(const Presentation& how, const JudgedRun& result);

/// The report's status. Under --ctest "inconclusive" and "no baseline" become 77 (skipped), so that CTest shows them
/// as not run rather than red or green; --require-baseline keeps them as failures, and so does a baseline of another
/// tree (has_changed_tree).
int status_for_caller(const Judging& judging, const RunReport& report);

}  // namespace stepgate

// Puts a report in the places beside the terminal: the files that were asked for, and GitHub.
#pragma once

#include <optional>
#include <string>

#include "cli/presentation.h"
#include "core/error.h"
#include "core/verdict/run_report.h"

namespace stepgate {

enum class OutputTarget {
  file,            ///< written before the report is shown, so that its last line has the status that follows
  standard_stream  ///< stdout or stderr of this process: written after the report is shown
};

/// Writes --markdown, --junit, --html and each --export whole, and with --github appends the summary to the file named
/// by GITHUB_STEP_SUMMARY, whole or not at all: a summary that is too long would take what other steps wrote there with
/// it. Only those that lead to such a target. One that cannot be written takes none of the others along: it is
/// returned, the last one where there are several, after the others were printed.
std::optional<Error> write_outputs(const Presentation& how, const RunReport& report, OutputTarget target);

/// With --github: annotations, on stderr beside --json.
void print_annotations(const ReportOutput& output, const RunReport& report);

/// Under --github the runner must not act on what is printed between these two lines (names of cases, output of failed
/// programs): a random text that nobody can guess ends it. Both are "" otherwise.
struct CommandPause {
  std::string begin;
  std::string end;
};
CommandPause command_pause(const ReportOutput& output);

}  // namespace stepgate

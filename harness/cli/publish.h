// Puts a report in the places beside the terminal: the files that were asked for, and GitHub.
#pragma once

#include <string>

#include "cli/presentation.h"
#include "core/verdict/run_report.h"

namespace stepgate {

/// Writes --markdown, --junit, --html and each --export whole. With --github also prints annotations (on stderr beside
/// --json) and appends the summary to the file named by GITHUB_STEP_SUMMARY, whole or not at all: a summary that is too
/// long would take what other steps wrote there with it. Throws Error(measure) where a file cannot be written.
void publish(const Presentation& how, const RunReport& report);

/// Under --github the runner must not act on what is printed between these two lines (names of cases, output of failed
/// programs): a random text that nobody can guess ends it. Both are "" otherwise.
struct CommandPause {
  std::string begin;
  std::string end;
};
CommandPause command_pause(const ReportOutput& output);

}  // namespace stepgate
